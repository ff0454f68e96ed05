import { asciiLower } from '@forge-desk/base/asciiLower.ts';
import { plainAddresses } from './plainAddresses.ts';
import type { MailPerson, ReadableMail } from './readableMail.ts';
import { listCautions, senderCautions } from './senderCautions.ts';

/** Real names and addresses are shorter. */
const longestHeader = 1000;

/**
 * The only person in a `From` header that every program reads alike. `undefined` for several addresses, for an
 * address in the name, for a list in place of the writer, and for every odd spelling, because those prove nobody.
 */
export function senderIn(header: string): MailPerson | undefined {
	// Programs read a remark before the address in two ways, as a part of the name or as nothing.
	const written = header.trim().replace(/\s\((?!via\b)[\p{L}\p{N} .'-]{1,60}\)\s?(?=<[^<>\s]{1,300}>$)/iu, ' ');
	const people = written.length > longestHeader ? undefined : plainAddresses(written);
	const cautions = people && [
		...senderCautions(people, written),
		...listCautions({ from: people, replyTo: [], cc: [] }, undefined),
	];
	return people && cautions && onlySender({ from: people, cautions });
}

/** The same for a parsed mail. */
export function onlySender({ from, cautions }: Pick<ReadableMail, 'from' | 'cautions'>): MailPerson | undefined {
	return from.length === 1 && cautions.length === 0 ? from[0] : undefined;
}

/** Servers compare addresses without regard to case. What is not known is the same as nothing. */
export function isSameAddress(one: string | undefined, other: string | undefined): boolean {
	return one !== undefined && one !== '' && asciiLower(one.trim()) === asciiLower(other?.trim() ?? '');
}
