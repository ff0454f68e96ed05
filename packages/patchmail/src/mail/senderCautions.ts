import { decodeWords } from './encodedWords.ts';
import { personIn } from './personIn.ts';
import type { MailPerson, SenderCaution } from './readableMail.ts';

/** Longer ones count as odd. This also bounds the input of the expressions below. */
const longestHeader = 1000;

const quoted = /"(?:[^"\\]|\\.)*"/g;
const plainAddress = /^([^\s<>@,;:"()\\[\]]+@[^\s<>@,;:"()\\[\]]+)(?:\s+\([^()@]*\))?$/;
const angleAddress = /^[^<>@,;:]*<([^\s<>@,;:"()\\[\]]+@[^\s<>@,;:"()\\[\]]+)>$/;
const anyAddress = /[^\s<>"'(),;:@]{1,64}@[^\s<>"'(),;:@]{1,255}/;

/**
 * Cautions about a sender. `header` is the From header as written, unfolded. Every spelling that parsers read
 * differently counts as odd, and so does every address that resembles another: honest senders need neither.
 */
export function senderCautions(from: readonly MailPerson[], header: string): readonly SenderCaution[] {
	const [only] = from;
	if (from.length > 1) {
		return [{ kind: 'severalSenders' }];
	}
	const cautions: SenderCaution[] = [];
	const name = only?.name.slice(0, longestHeader) ?? '';
	// Lookalikes of an at or a dot become one, and invisible characters vanish.
	const visible = /^[ -~]*$/.test(name)
		? name
		: name.normalize('NFKC').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');
	const foreign = anyAddress.exec(visible)?.[0];
	if (foreign !== undefined && foreign.toLowerCase() !== only?.address.toLowerCase()) {
		cautions.push({ kind: 'nameHoldsAddress', address: foreign });
	}
	if (only && !(isPlainlyWritten(header, only.address) && isClearAddress(only.address))) {
		cautions.push({ kind: 'oddlyWritten', header: header.slice(0, longestHeader) });
	}
	return cautions;
}

/** `Ann Lee via dev <dev@lists.forge.test>`, as lists write for domains that forbid others to send in their name (DMARC). */
export function listCautions(
	{ from, replyTo, cc }: Readonly<Record<'from' | 'replyTo' | 'cc', readonly MailPerson[]>>,
	original: string | undefined,
): readonly SenderCaution[] {
	const [only] = from;
	const [before = '', ...behind] = (only?.name ?? '').slice(0, longestHeader).split(/[\s(]+via\s+/i);
	if (only === undefined || from.length > 1 || behind.length === 0) {
		return [];
	}
	const called = before.replaceAll(/^["' ]+|["' ]+$/g, '');
	const stated = original === undefined ? [] : [personIn(decodeWords(original.slice(0, longestHeader)))];
	const people = [...stated, ...[...replyTo, ...cc].filter(({ name }) => name !== '' && name === called)];
	const isOther = ({ address }: MailPerson): boolean => address.toLowerCase() !== only.address.toLowerCase();
	return [{ kind: 'sentByList', likely: people.find((person) => person.address !== '' && isOther(person)) }];
}

function isPlainlyWritten(header: string, address: string): boolean {
	if (header.length > longestHeader) {
		return false;
	}
	const bare = header.replaceAll(quoted, '').trim();
	const written = (angleAddress.exec(bare) ?? plainAddress.exec(bare))?.[1];
	return written?.toLowerCase() === address.toLowerCase();
}

/** Invisible characters, characters without meaning, and phonetic letters, which resemble those of names. */
const neverClear = /[\p{Default_Ignorable_Code_Point}\p{C}\p{Z}\u0250-\u02AF\u1D00-\u1DBF\uA720-\uA7FF\uAB30-\uAB6F]/u;

const onlyAscii = /^[!-~]*$/;
/** No one takes letters of east Asia for Latin ones, and people there write both. */
const latinAndEastAsian =
	/^[!-~\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}\u30FB\u30FC]*$/u;

/** Addresses in these have none of another script, not even of ASCII. */
const otherScripts = (
	'Arabic Armenian Bengali Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Hebrew Kannada Khmer Lao ' +
	'Malayalam Myanmar Oriya Sinhala Tamil Telugu Thai'
)
	.split(' ')
	.map((script) => new RegExp(`^(?:[!-@[-\`{-~]|\\p{Script_Extensions=${script}})*$`, 'u'));

/**
 * False for an address that resembles another: with invisible characters, with several spellings of one letter, or
 * with letters of several scripts, some of which look the same. Linear time.
 */
function isClearAddress(address: string): boolean {
	if (onlyAscii.test(address)) {
		return true;
	}
	const composed = address.normalize('NFC');
	return (
		// Some characters resemble others, such as the Kelvin sign and K.
		Array.from(address).every((sign) => sign.normalize('NFC') === sign) &&
		composed === address.normalize('NFKC') &&
		!neverClear.test(composed) &&
		(latinAndEastAsian.test(composed) || otherScripts.some((script) => script.test(composed)))
	);
}
