import { isSameAddress } from '../mail/onlySender.ts';
import type { MailPerson, ReadableMail } from '../mail/readableMail.ts';
import { isSendable } from '../mail/writtenAddress.ts';

/** Who gets a reply. */
export interface ReplyPeople {
	readonly to: readonly MailPerson[];
	readonly cc: readonly MailPerson[];
	/** Those to whom no mail can be sent, because their address is read in several ways. */
	readonly leftOut: readonly MailPerson[];
}

/** The writer of a reply, and the address that the list is written to. */
export interface ReplyOwner {
	/** All addresses that are the writer's own. */
	readonly own: readonly string[];
	readonly posting: string;
}

/** More people are no conversation. */
const most = 100;

/**
 * A reply goes to the list, and in copy to whoever wrote the mail and to all whom that mail reached; the writer's own
 * addresses and other spellings of the list are left out.
 */
export function replyPeople(
	answered: Pick<ReadableMail, 'from' | 'replyTo' | 'to' | 'cc'> | undefined,
	{ own, posting }: ReplyOwner,
): ReplyPeople {
	const { from = [], replyTo = [], to = [], cc = [] } = answered ?? {};
	const known = new Set(own.map(keyOf));
	known.add(keyOf(posting));
	const copies: MailPerson[] = [];
	const leftOut: MailPerson[] = [];
	for (const person of [...(replyTo.length > 0 ? replyTo : from), ...to, ...cc]) {
		const key = keyOf(person.address);
		if (!known.has(key) && copies.length < most) {
			known.add(key);
			(isSendable(person.address) ? copies : leftOut).push(person);
		}
	}
	return { to: [{ name: '', address: posting }], cc: copies, leftOut };
}

/** `u.owner.list@` is another spelling of `~owner/list@` (docs/protocol.md#list-addresses). */
function keyOf(address: string): string {
	return address
		.trim()
		.toLowerCase()
		.replace(/^u\.([^.@]+)\.([^@]+)@/, '~$1/$2@');
}

/** A list as its address names it. */
export interface ListName {
	/** With `~`. */
	readonly owner: string;
	readonly name: string;
}

/** Where a list is written to, and what says so. */
export interface PostingAddress {
	readonly address: string;
	readonly source: 'listPost' | 'recipients' | 'domain';
}

const longestHeader = 500;

/**
 * The address that a list is written to: what most mails of it name in `List-Post`, else what most were sent to, else the
 * list at the forge's domain for mails, where that is known. Only addresses that name this very list count, since whoever
 * sends a mail writes its headers; and where the domain is known, only those of that domain.
 */
export function postingAddress(
	{ owner, name }: ListName,
	mails: readonly Pick<ReadableMail, 'headers' | 'to' | 'cc'>[],
	domain: string | undefined,
): PostingAddress | undefined {
	const isOfList = (address: string): boolean => {
		const [local = '', host = ''] = keyOf(address).split('@');
		return (
			isSendable(address) &&
			local === `${owner}/${name}`.toLowerCase() &&
			(domain === undefined || isSameAddress(host, domain))
		);
	};
	const posted = mostCommon(mails.flatMap((mail) => once(listPosts(mail).filter(isOfList))));
	if (posted !== undefined) {
		return { address: posted, source: 'listPost' };
	}
	const received = mostCommon(
		mails.flatMap(({ to, cc }) => once([...to, ...cc].map(({ address }) => address).filter(isOfList))),
	);
	if (received !== undefined) {
		return { address: received, source: 'recipients' };
	}
	const address = `${owner}/${name}@${domain ?? ''}`;
	return domain !== undefined && isSendable(address) ? { address, source: 'domain' } : undefined;
}

function listPosts({ headers }: Pick<ReadableMail, 'headers'>): readonly string[] {
	return headers
		.filter(({ name }) => name === 'list-post')
		.flatMap(({ value }) => {
			const [, written = ''] = /<mailto:([^<>?\s]+)(?:\?[^<>\s]*)?>/i.exec(value.slice(0, longestHeader)) ?? [];
			return written === '' ? [] : [written.replaceAll(/%7e/gi, '~').replaceAll(/%2f/gi, '/')];
		});
}

/** A mail counts once for each address. */
function once(addresses: readonly string[]): readonly string[] {
	return [...new Map(addresses.map((address) => [address.toLowerCase(), address])).values()];
}

/** The first of those that are named most often, whatever case they are written in. */
function mostCommon(addresses: readonly string[]): string | undefined {
	const counts = new Map<string, { readonly address: string; count: number }>();
	for (const address of addresses) {
		const known = counts.get(address.toLowerCase()) ?? { address, count: 0 };
		counts.set(address.toLowerCase(), known);
		known.count += 1;
	}
	return [...counts.values()].toSorted((a, b) => b.count - a.count)[0]?.address;
}
