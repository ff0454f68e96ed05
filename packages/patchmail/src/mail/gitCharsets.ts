import iconv from 'iconv-lite';

/** How glibc's `iconv` reads a charset for git. The tables of iconv-lite are larger than those of glibc. */
interface GitCharset {
	readonly table: string;
	/** The bytes for which glibc has characters, too. */
	readonly known?: RegExp | undefined;
	/** Characters of the table that glibc reads as others. */
	readonly others?: Readonly<Record<string, string>>;
}

/** Letters that national standards and Microsoft, so the web, map to different characters. */
const wave = { '～': '〜', '∥': '‖', '－': '−', '￠': '¢', '￡': '£', '￢': '¬' } as const;

const charsets: Readonly<Record<string, GitCharset>> = {
	'shift_jis sjis shift-jis ms_kanji csshiftjis': {
		table: 'shiftjis',
		known: /^(?:[\0-\x7f\xa1-\xdf]|[\x81-\x84\x88-\x9f\xe0-\xea][\x40-\x7e\x80-\xfc])*$/,
		others: { ...wave, '\\': '¥', '~': '‾' },
	},
	'windows-31j cp932 ms932': { table: 'shiftjis', known: /^[^\x80]*$/ },
	'euc-jp eucjp cseucpkdfmtjapanese': {
		table: 'eucjp',
		known:
			/^(?:[\0-\x7f]|\x8e[\xa1-\xdf]|(?!\x8f\xa2\xb7)\x8f[\xa1-\xed][\xa1-\xfe]|[\xa1-\xa8\xb0-\xf4][\xa1-\xfe])*$/,
		others: wave,
	},
	'gb2312 euc-cn euccn csgb2312': {
		table: 'gbk',
		known:
			/^(?:[\0-\x7f]|[\xa1\xa3\xb0-\xf7][\xa1-\xfe]|\xa2[\xb1-\xe2\xe5-\xee\xf1-\xfc]|\xa4[\xa1-\xf3]|\xa5[\xa1-\xf6]|\xa6[\xa1-\xb8\xc1-\xd8]|\xa7[\xa1-\xc1\xd1-\xf1]|\xa8[\xa1-\xba\xc5-\xe9]|\xa9[\xa4-\xef])*$/,
		others: { '·': '・', '—': '―' },
	},
	'gbk cp936 ms936 windows-936': {
		table: 'gbk',
		known: /^(?:[\0-\x7f]|(?!\xa2\xe3|\xa3\xa0|\xa8[\xbc\xbf]|\xa9[\x89-\x95])[\x81-\xfd][\x40-\xfe])*$/,
	},
	gb18030: {
		table: 'gb18030',
		known:
			/^(?:(?!\xa3\xa0|\x80|\x825[\x90\x91]|\x841[\x82\x83\xa5-\xfe]|[\x84-\x8f\xe3-\xfe][2-9]|[\x85-\x8f\xe4-\xfe][01])[^])*$/,
	},
	'big5 cp950 cn-big5': { table: 'cp950' },
	'euc-kr euckr cseuckr': { table: 'cp949', known: /^(?:[\0-\x7f]|[\xa1-\xfe]{2})*$/ },
	'uhc cp949': { table: 'cp949' },
	'koi8-r koi8r cskoi8r': { table: 'koi8-r' },
	'koi8-u koi8u': { table: 'koi8-u' },
	'windows-874 cp874 874': { table: 'windows-874' },
	'tis-620 tis620': { table: 'tis-620' },
	'ibm866 cp866 866 csibm866': { table: 'ibm866' },
	'latin1 l1 cp819 ibm819 csisolatin1 iso-ir-100 iso_8859-1:1987': { table: 'iso-8859-1' },
	'latin2 l2 csisolatin2 iso-ir-101 iso_8859-2:1987': { table: 'iso-8859-2' },
	'latin5 l5 csisolatin5 iso-ir-148 iso_8859-9:1989': { table: 'iso-8859-9' },
	'latin9 latin-9': { table: 'iso-8859-15' },
};

const named: ReadonlyMap<string, GitCharset> = new Map(
	Object.entries(charsets).flatMap(([names, charset]) => names.split(' ').map((name) => [name, charset] as const)),
);

/** glibc joins letters with points and tones, and git loses a last letter that could still be joined. */
const joining: Readonly<Record<string, RegExp>> = {
	'1255': /^[^\xc0-\xd6]*(?<![\xd4-\xff])$/,
	'1258': /^[^\xcc\xd2\xde\xec\xf2]*(?<![A-Za-z\xc0-\xff])$/,
};

function charsetNamed(label: string): GitCharset | undefined {
	const [, windows] = /^(?:windows-|cp)(125[0-8])$/.exec(label) ?? [];
	if (windows !== undefined) {
		return { table: `windows-${windows}`, known: joining[windows] };
	}
	const [, part] = /^(?:iso-?8859-?|iso_8859-(?!11|13))([1-9]|1[013-6])$/.exec(label) ?? [];
	return part === undefined ? named.get(label) : { table: `iso-8859-${part}` };
}

/** Escapes of ISO-2022-JP that glibc knows, and between them the rows of JIS X 0208. */
const escapedJapanese =
	// oxlint-disable-next-line no-control-regex -- escapes and shifts are exactly what is looked for
	/^(?:(?:^|\x1b\([BJ])[^\x0e\x0f\x1b\x80-\xff]*|\x1b\$[@B](?:[\x21-\x28\x30-\x74][\x21-\x7e])*)*$/;
const unsafeText = /[\uE000-\uF8FF\uFFFD]/;

/** Text of bytes in the charset of a label, one character a byte; `undefined` where glibc cannot convert them. */
export function textToGit(bytes: string, label: string): string | undefined {
	if (/^(?:cs)?iso-?2022-?jp$/.test(label)) {
		return escapedJapanese.test(bytes) ? withOthers(escapedText(bytes), wave) : undefined;
	}
	if (/^utf-16(?:le|be)?$/.test(label)) {
		try {
			return new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(Buffer.from(bytes, 'latin1'));
		} catch {
			return '\uFFFD';
		}
	}
	const charset = charsetNamed(label);
	if (!charset || charset.known?.test(bytes) === false) {
		return undefined;
	}
	return withOthers(iconv.decode(Buffer.from(bytes, 'latin1'), charset.table, { stripBOM: false }), charset.others);
}

/**
 * ISO-2022-JP. Rows of JIS X 0208 are those of EUC-JP without the high bits. `ESC ( J` changes two signs of ASCII; shifts,
 * which no such text has, stand in for them.
 */
function escapedText(bytes: string): string {
	const euc = Buffer.alloc(bytes.length);
	let length = 0;
	let escape = '(B';
	for (let at = 0; at < bytes.length; at++) {
		if (bytes[at] === '\x1b') {
			escape = bytes.slice(at + 1, at + 3);
			at += 2;
		} else {
			const [byte, sign] = [bytes.charCodeAt(at), escape === '(J' ? '\\~'.indexOf(bytes[at] ?? '') : -1];
			euc[length++] = sign === -1 ? byte | (escape.startsWith('$') ? 0x80 : 0) : 0x0e + sign;
		}
	}
	return iconv.decode(euc.subarray(0, length), 'eucjp').replaceAll('\x0e', '¥').replaceAll('\x0f', '‾');
}

function withOthers(text: string, others: GitCharset['others']): string | undefined {
	// Private use: tables of the web have characters where glibc has none.
	if (unsafeText.test(text)) {
		return undefined;
	}
	return others ? Array.from(text, (character) => others[character] ?? character).join('') : text;
}
