// Reads a name as tournaments/desk/forms/desk.py does; tests/js/test_names_as_desk.py compares them.

/** @typedef {{ last_name: string, first_name: string, club_name: string }} NameParts */

/**
 * Capitalise names typed in small letters; other names stay unchanged.
 *
 * @param {string} name
 */
function capitals(name) {
  if (name !== name.toLowerCase()) return name;
  return name.replace(/(^|[\s-])([\p{L}\p{N}_])/gu, (_all, before, letter) => {
    return before + letter.toUpperCase();
  });
}

/**
 * Split last name, first name and club by commas; without commas the last word is the last name.
 *
 * @param {string} typed
 * @returns {NameParts}
 */
export function splitName(typed) {
  let parts = typed.split(",").map((part) => part.trim());
  if (parts.length === 1) {
    const words = typed.trim().split(/\s+/);
    parts = [words.pop() ?? "", words.join(" ")];
  }
  const [last, first = "", club = ""] = parts;
  return { last_name: capitals(last), first_name: capitals(first), club_name: club };
}
