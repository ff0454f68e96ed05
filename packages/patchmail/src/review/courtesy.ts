/** Words of an answer, where a name could stand as well. */
const answers: ReadonlySet<string> = new Set(
	`ack acked add agreed applied approved broken bug change done dropped fine fix fixed good great ignore lgtm looks merged missing nack
	nak nacked nice nit no nope not ok okay please pushed queued reject rejected remove resend reviewed right same sorry sure tested todo
	typo unused well wip wrong yeah yep yes`.split(/\s+/),
);

const greeting =
	/^(?:hi|hello|hey|dear|hallo|hej|hoi|moin|salut|bonjour|hola|buongiorno|ciao|olá|ahoj|cześć|привет|здравствуйте|你好|您好|good (?:morning|afternoon|evening|day))(?!\p{L})/iu;
/** Words beside the names in a greeting. */
const together =
	/^(?:all|both|everyone|everybody|folks|there|team|again|guys|maintainers?|list|and|&|und|et|y|e|van|von|de|der|den|la|el|bin|al)$/;

const thanks = '(?:thank you|thanks?|thx|merci|danke|gracias|grazie|tack|cheers|спасибо|谢谢|謝謝)';
const regards =
	'(?:(?:(?:with|and|many|kind|kindest|best|warm|warmest|my) )*(?:regards|wishes|greetings)|best|sincerely|yours(?: (?:truly|sincerely|faithfully))?' +
	'|all the best|have an? \\p{L}+ (?:day|weekend|week|morning|afternoon|evening|night)|m?br|kr|wbr|b?rgds|mfg|lg|vg|mvh|hth|bye|saludos|un saludo' +
	'|(?:(?:viele|liebe|schöne|beste) )?grüße|gruß|mit freundlichen grüßen|cordialement|(?:met vriendelijke )?groet(?:en|jes)?' +
	'|gr\\{oetje,eeting\\}s|pozdrawiam|s pozdravem|med vänlig hälsning|(?:med )?venlig hilsen|terveisin|с уважением)';
const closing = new RegExp(
	`^(?:many )?(?:${thanks}(?: (?:a lot|so much|very much|again|in advance))*(?: for(?: [\\p{L}'’&-]+){1,4})?|${regards})(?!\\p{L})`,
	'iu',
);
const furtherClosing = new RegExp(`^(?:[\\s,.!]|and |&)*(?:${thanks}|${regards})(?!\\p{L})`, 'iu');

/** The website of a person, below the name. */
const ownLink = /^\s*<?https?:\/\/\S{1,200}$/;

/** Longer lines say more than thanks. */
const longest = 50;
const [mostLines, mostNames] = [5, 6];
/** No text of a comment is indented so far. */
const farIndented = /^(?:\t{3,}| {16,})\S/;

/** True for `Hi Ann,`, and for `Ann,` with a name of the thread; `names` in lower case. */
export function isGreeting(line: string, names: readonly string[] = []): boolean {
	const text = line.trim();
	if (text.length > longest) {
		return false;
	}
	const [found] = greeting.exec(text) ?? [];
	const words = wordsOf(text.slice(found?.length ?? 0));
	const known = new Set(names.flatMap((name) => plain(name).split(/[\s,]+/)));
	const areKnown = words.every((word) => known.has(plain(word)) || together.test(word.toLowerCase()));
	return found === undefined
		? areKnown && /^\p{Lu}.*[,!:]$/u.test(text) && words.some((word) => known.has(plain(word)))
		: areKnown ||
				areNames(words, mostNames) ||
				(/[,:：，]$/u.test(text) &&
					words.length <= 3 &&
					words.every((word) => /^\p{L}[\p{L}\p{M}'’.-]*$/u.test(word) && !answers.has(word.toLowerCase())));
}

/**
 * True for only a greeting, thanks or a name; `names` in lower case. Below a closing word, the last line may be any
 * short name. Words that may be an answer are never courtesy, because courtesy at the ends of a mail is not shown.
 */
export function isCourtesy(lines: readonly string[], names: readonly string[]): boolean {
	const text = lines.filter((line) => line.trim() !== '');
	const said = text.length > 1 && ownLink.test(text.at(-1)!) ? text.slice(0, -1) : text;
	return (
		said.length > 0 &&
		said.length <= mostLines &&
		said.every((line, at) => isPolite(line, names) || (at === said.length - 1 && isSignature(line, said[at - 1])))
	);
}

function isPolite(line: string, names: readonly string[]): boolean {
	const text = line.trim();
	if (text.length > longest || text.includes('?')) {
		return false;
	}
	// A name of the thread may have any signs around it.
	const words = plain(text)
		.replaceAll(/[^\p{L}\s]/gu, '')
		.trim();
	return names.some((name) => plain(name) === words) || isGreeting(text, names) || isClosing(text);
}

/** In lower case without accents, which addresses and headers often lack. */
function plain(text: string): string {
	return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** `Thanks a lot, and best regards, Bob` */
function isClosing(text: string): boolean {
	let [found] = closing.exec(text) ?? [];
	let rest = text;
	while (found !== undefined) {
		rest = rest.slice(found.length);
		[found] = furtherClosing.exec(rest) ?? [];
	}
	return rest !== text && areNames(wordsOf(rest), 2);
}

/** A short name below a closing line, behind dashes, or far to the right. */
function isSignature(line: string, above: string | undefined): boolean {
	const text = line.trim();
	const isSet = /^--+ ?/.test(text) || farIndented.test(line) || (above !== undefined && isClosing(above.trim()));
	const words = wordsOf(text);
	const isNickname = /^\p{Ll}{2,12}$/u.test(text) && !answers.has(text) && /regards,$/i.test(above?.trim() ?? '');
	return isNickname || (isSet && text.length <= 30 && words.length > 0 && areNames(words, 2));
}

function wordsOf(text: string): readonly string[] {
	return text.split(/[\s,，、。!！;:：()/*~]+|(?<!\p{L})[-–—.]+|\.$/u).filter((word) => word !== '');
}

function areNames(words: readonly string[], most: number): boolean {
	return (
		words.length <= most &&
		words.every(
			(word) =>
				(/^(?:\p{Lu}[\p{L}\p{M}'’.-]*|\p{Lo}{1,4})$/u.test(word) && !answers.has(word.toLowerCase())) ||
				together.test(word.toLowerCase()),
		)
	);
}
