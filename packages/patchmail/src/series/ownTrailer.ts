import { isSameAddress, onlySender, senderIn } from '../mail/onlySender.ts';
import type { MailPerson } from '../mail/readableMail.ts';
import type { SecondAddress, SeriesMail } from './seriesReading.ts';
import type { TrailerLine } from './trailerLines.ts';

/**
 * True if a person speaks for themselves: the mail has exactly one sender without any doubt, and the trailer has the
 * same address. Names prove nothing.
 */
export function isOwnTrailer(mail: SeriesMail, { value }: TrailerLine): boolean {
	return isSameAddress(personIn(value)?.address, senderOf(mail)?.address);
}

/** The sender and the person of someone else's trailer. `undefined` if one of them is uncertain. */
export function secondAddress(mail: SeriesMail, { value }: TrailerLine): SecondAddress | undefined {
	const [sender, named] = [senderOf(mail), personIn(value)];
	return sender && named && sender.address !== '' && named.address !== '' ? { sender, named } : undefined;
}

/** Identifies a sender by address. All doubtful senders count as one. */
export function senderKey(mail: SeriesMail): string {
	return senderOf(mail)?.address.toLowerCase() ?? '';
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
