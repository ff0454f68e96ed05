/** Names of scripts by Unicode property. A test derives them from Unicode's data. */
export const scripts = {
	joining:
		'Adlam Ahom Arabic Balinese Batak Bengali Bhaiksuki Brahmi Chakma Chorasmian Devanagari Dives_Akuru Dogra Grantha Gujarati Gunjala_Gondi Gurmukhi Hanifi_Rohingya Hanunoo Javanese Kaithi Kannada Kharoshthi Khmer Khojki Khudawadi Lao Malayalam Mandaic Manichaean Masaram_Gondi Meetei_Mayek Modi Mongolian Myanmar Nandinagari Newa Nko Old_Uyghur Oriya Phags_Pa Psalter_Pahlavi Rejang Saurashtra Sharada Siddham Sinhala Sogdian Soyombo Sundanese Syloti_Nagri Syriac Tagalog Tai_Tham Takri Tamil Telugu Thai Tibetan Tifinagh Tirhuta Zanabazar_Square',
	unspaced: 'Ahom Khmer Lao Myanmar New_Tai_Lue Tai_Le Tai_Tham Tai_Viet Thai',
	rightToLeft:
		'Adlam Arabic Avestan Chorasmian Cypriot Elymaic Hanifi_Rohingya Hatran Hebrew Imperial_Aramaic Inscriptional_Pahlavi Inscriptional_Parthian Kharoshthi Lydian Mandaic Manichaean Mende_Kikakui Meroitic_Cursive Meroitic_Hieroglyphs Nabataean Nko Old_Hungarian Old_North_Arabian Old_Sogdian Old_South_Arabian Old_Turkic Old_Uyghur Palmyrene Phoenician Psalter_Pahlavi Samaritan Sogdian Syriac Thaana Yezidi',
} as const;
