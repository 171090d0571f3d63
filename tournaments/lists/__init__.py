"""The Spielliste as a document: lines, versions, signing, bought cards."""
