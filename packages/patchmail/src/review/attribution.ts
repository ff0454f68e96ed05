/** Attribution verbs in several languages, for lowercase lines. */
const wrote = new RegExp(
	'\\b(?:wrote|writes|said|schrieb|schreibt|schreef|geschreven|skrev|kirjoitti|escribi[oó]|escreveu|scritto|scrive|' +
		'napisa[lł]\\S{0,4}|pisze|napsal\\S{0,2}|quoting)(?![a-z])|[eé]crit|написал|пишет|пише|писал|yazdı|έγραψε|写道|写到|寫道|寫到|さんは|작성',
	'u',
);
const date = /\b(?:19|20)\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|\b\d{1,2}[:.]\d\d\b/;
const address = /[\w.+~-]@[\w-]/;
/** Longer lines contain more than an attribution. */
const longest = 300;
/** Maximum number of lines of a wrapped attribution. */
export const mostAttributionLines = 4;

/**
 * Number of attribution lines directly above a quotation, counted from the last. `names`: possible people, in lower
 * case.
 */
export function attributionLines(paragraph: readonly string[], names: readonly string[]): number {
	const lines = paragraph.slice(-mostAttributionLines).map((line) => line.trim().slice(0, longest).toLowerCase());
	const last = lines.at(-1);
	if (last === undefined) {
		return 0;
	}
	const joined = (count: number): string => lines.slice(-count).join(' ');
	let count = 1;
	while (count <= lines.length && !isAttribution(joined(count), names)) {
		count += 1;
	}
	if (count > lines.length) {
		return 0;
	}
	// The upper part of a wrapped attribution starts with the date or the name.
	while (count < lines.length && goesAbove(lines.at(-count - 1)!, joined(count), names)) {
		count += 1;
	}
	return count;
}

function isAttribution(text: string, names: readonly string[]): boolean {
	const hasName = names.some((name) => name !== '' && text.includes(name));
	// An address directly above the verb is no part of a sentence.
	if (/<[^<>\s]+@[^<>\s]+>[^<>]{0,30}[:：]$/.test(text) && wrote.test(text)) {
		return true;
	}
	// `Ann writes:`, with any part of a known name.
	const [, person] = /^(\S.{0,60}?) (?:wrote|writes|said|schrieb|schreibt)[:：]$/.exec(text) ?? [];
	if (person !== undefined && names.some((name) => ` ${name} `.includes(` ${person} `))) {
		return true;
	}
	const facts = [hasName, address.test(text), date.test(text), wrote.test(text)].filter(Boolean).length;
	if (!/[:：]$/.test(text)) {
		return hasName && facts >= 2 && (text.startsWith('quoting') || text.startsWith('* '));
	}
	return facts >= 3 || (facts === 2 && begins(text, names)) || names.some((name) => text === `${name}:`);
}

/** True for an attribution that needs no quotation below it: it begins like one, with an address, a date and a verb. */
export function isSureAttribution(paragraph: readonly string[]): boolean {
	const text = paragraph.join(' ').trim().slice(0, longest).toLowerCase();
	return (
		paragraph.length <= mostAttributionLines &&
		/[:：]$/.test(text) &&
		begins(text, []) &&
		[address, date, wrote].every((fact) => fact.test(text))
	);
}

/** Two facts alone are not enough: a sentence of a comment may also end in a colon. */
function begins(text: string, names: readonly string[]): boolean {
	return (
		/^(?:(?:on|at|am|在|于|於|le|el|em|op|den|il|la|dne|dnia|quoting|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},?)\s|[*<("'\d])/.test(
			text,
		) || names.some((name) => name !== '' && text.startsWith(name))
	);
}

/** A line above belongs to it if it has the missing date, or starts like an attribution. */
function goesAbove(above: string, known: string, names: readonly string[]): boolean {
	return (
		!/[.!?]$/.test(above) &&
		above !== '' &&
		(date.test(above) || names.some((name) => name !== '' && above.includes(name))) &&
		(!date.test(known) || begins(above, names))
	);
}

/** True for an omission mark: `[...]`, `<snip>`, `[ ... skip 12 lines ... ]`. Logs contain `[ cut here ]`. */
export function isElision(line: string): boolean {
	const text = line.trim();
	if (text.length > 60 || text === '') {
		return false;
	}
	const words = text
		.replaceAll(/[\s[\]<>(){}.\u2026,;:*=~_/8-]+/g, ' ')
		.trim()
		.toLowerCase();
	return words === ''
		? /\.\.|\u2026|^\[?\s*\]$|^\.$/.test(text)
		: (words === 'snip' || /^[[<({.\u2026*=~/-]/.test(text)) &&
				words !== 'cut here' &&
				/^(?:big |long )?(?:snip(?:ped|s)?|cut|trim(?:med)?|skip(?:ped)?|elided|omitted|deleted)(?: \d{1,6})?(?: lines?| more| code| patch| diff| here)?$/.test(
					words,
				);
}

/** Longer lines, or ones with several clauses, are personal. */
const longestBoilerplate = 50;
const boilerplate =
	/^(?:sent (?:from my|with|via|using) |get outlook for |von meinem .{1,40} gesendet|gesendet von |envoyé de |enviado desde |enviado do |inviato da |verzonden vanaf |skickat från )/i;

/** True for a line added by a program. */
export function isBoilerplate(line: string): boolean {
	const text = line.trim();
	const bare = text.slice(0, 200).replaceAll(/[<([]{1,2}https?:\/\/[^\s<>)\]]+[>)\]]{1,2}/g, '');
	return (
		/^_{8,200}$/.test(text.slice(0, 200)) ||
		/^-{2,5} ?end (?:of )?quoted text ?-{2,5}$/i.test(text) ||
		(bare.length <= longestBoilerplate && !/[,;:?!]/.test(bare) && boilerplate.test(bare))
	);
}
