/// The names that Unicode gives to spaces other than those of ASCII, in small letters.
///
/// The standard library knows the names of all characters, which would make the program half a
/// megabyte larger.
let spaceNames: [UInt32: String] = [
  0x00A0: "no-break space", 0x1680: "ogham space mark", 0x2000: "en quad", 0x2001: "em quad",
  0x2002: "en space", 0x2003: "em space", 0x2004: "three-per-em space",
  0x2005: "four-per-em space", 0x2006: "six-per-em space", 0x2007: "figure space",
  0x2008: "punctuation space", 0x2009: "thin space", 0x200A: "hair space",
  0x2028: "line separator", 0x2029: "paragraph separator", 0x202F: "narrow no-break space",
  0x205F: "medium mathematical space", 0x3000: "ideographic space",
]
