import { asciiLower } from '@forge-desk/base/asciiLower.ts';
import { headerValue } from '../mail/mailHead.ts';
import { isSameAddress, onlySender, senderIn } from '../mail/onlySender.ts';
import type { MailPerson } from '../mail/readableMail.ts';
import type { SecondAddress, SeriesMail } from './seriesReading.ts';
import type { TrailerLine } from './trailerLines.ts';

/**
 * True if a person speaks for themselves: the mail has exactly one sender without any doubt, and the trailer has the
 * same address. Names prove nothing. `lists`: from `listsOf`.
 */
export function isOwnTrailer(mail: SeriesMail, { value }: TrailerLine, lists: ReadonlySet<string>): boolean {
	return isSameAddress(personIn(value)?.address, writerOf(mail, lists)?.address);
}

/** The sender and the person of someone else's trailer. `undefined` if one of them is uncertain. */
export function secondAddress(
	mail: SeriesMail,
	{ value }: TrailerLine,
	lists: ReadonlySet<string>,
): SecondAddress | undefined {
	const [sender, named] = [writerOf(mail, lists), personIn(value)];
	return sender && named && sender.address !== '' && named.address !== '' ? { sender, named } : undefined;
}

/** Identifies a sender by address. All doubtful senders count as one. */
export function senderKey(mail: SeriesMail): string {
	return senderOf(mail)?.address.toLowerCase() ?? '';
}

/**
 * Addresses of the lists that sent these mails. Pass the patches and their cover letter: their sender could write any
 * trailer into a patch anyway, and nobody else decides over their headers.
 */
export function listsOf(mails: readonly SeriesMail[]): ReadonlySet<string> {
	return new Set(
		mails.flatMap(({ reading }) => {
			if (reading.kind === 'raw') {
				return [];
			}
			const { headers, from, to, cc, cautions } = reading.mail;
			const post = /<mailto:([^<>?\s]{1,320})/i.exec(headerValue(headers, 'list-post') ?? '')?.[1];
			const [sender] = cautions.some(({ kind }) => kind === 'sentByList') ? from : [];
			const isList = [...to, ...cc].some(({ address }) => isSameAddress(address, sender?.address));
			return [post, isList ? sender?.address : undefined].flatMap((address) => (address ? [asciiLower(address)] : []));
		}),
	);
}

/**
 * The sender, or the writer of a mail that one of `lists` sent in its own name. A list names him beside his Reply-To, or in
 * Cc if it takes the replies itself, and keeps his name in From. Two addresses with that name prove nobody.
 */
function writerOf(mail: SeriesMail, lists: ReadonlySet<string>): MailPerson | undefined {
	const { reading } = mail;
	const [from, ...others] = reading.kind === 'read' ? reading.mail.from : [];
	if (reading.kind === 'raw' || !from || others.length > 0 || !lists.has(asciiLower(from.address))) {
		return senderOf(mail);
	}
	const { replyTo, cc, headers, cautions } = reading.mail;
	const isList = ({ address }: MailPerson): boolean => lists.has(asciiLower(address));
	const answered = replyTo.every(isList) ? (replyTo.length > 0 ? cc : []) : replyTo;
	const shown = shownName(from.name);
	const named = answered.filter(
		(person) =>
			!isList(person) &&
			[shownName(person.name), asciiLower(person.address)].some(
				(name) => name !== '' && shown.startsWith(name) && /^(?:$|['"]?[ (])/.test(shown.slice(name.length)),
			),
	);
	const stated = ['x-original-from', 'x-original-sender', 'author'].flatMap((name) => {
		const value = headerValue(headers, name);
		return value === undefined ? [] : [senderIn(value)?.address ?? ''];
	});
	const addresses = new Set([...named.map(({ address }) => address), ...stated].map(asciiLower));
	const isOdd = cautions.some(
		(caution) =>
			caution.kind !== 'sentByList' &&
			!(caution.kind === 'nameHoldsAddress' && isSameAddress(caution.address, named[0]?.address)),
	);
	return addresses.size === 1 && !isOdd ? named[0] : undefined;
}

/** Lists quote the names that they keep. */
function shownName(name: string): string {
	return name
		.replaceAll(/^["' ]+|["' ]+$/g, '')
		.replaceAll(/\s+/g, ' ')
		.toLowerCase();
}

function senderOf({ reading }: SeriesMail): MailPerson | undefined {
	return reading.kind === 'read' ? onlySender(reading.mail) : undefined;
}

function personIn(value: string): MailPerson | undefined {
	const end = value.lastIndexOf('>') + 1;
	// `Bob <bob@forge.test> # on arm64`, unless the remark may contain another address.
	const withoutRemark = end === 0 || value.includes('@', end) ? value : value.slice(0, end);
	const [, name = '', address] = /^([^<>]*)(<[^<>]*>)$/.exec(withoutRemark) ?? [];
	const holdsAddress = /[^\s(]@/.test(name.normalize('NFKC'));
	return senderIn(address === undefined || holdsAddress ? withoutRemark : `${bareName(name)} ${address}`);
}

/** Without signs that separate people in a header: `Lee, Bob (Some Company) [arm]`. A trailer has one person. */
function bareName(name: string): string {
	return name
		.replaceAll(/\([^()]*\)|\[[^[\]]*\]/g, ' ')
		.replaceAll(/["(),:;@[\]]/g, ' ')
		.replaceAll(/\s+/g, ' ')
		.trim();
}
