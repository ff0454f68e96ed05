import type { MailPerson, ReadableMail } from '../mail/readableMail.ts';
import { addressKey, isSendable } from '../mail/writtenAddress.ts';

export interface ReplyPeople {
	readonly to: readonly MailPerson[];
	readonly cc: readonly MailPerson[];
	/** People with ambiguous addresses, who cannot receive mail. */
	readonly leftOut: readonly MailPerson[];
}

/** The writer of a reply, and the list's address. */
export interface ReplyOwner {
	/** All own addresses of the writer. */
	readonly own: readonly string[];
	/** Empty while unknown. */
	readonly posting: string;
}

/** More recipients than any real thread. */
const most = 100;

/**
 * Recipients of a reply: the list in To; the writer, all recipients and other participants in Cc. Omits own addresses
 * and other spellings of the list.
 */
export function replyPeople(
	answered: Pick<ReadableMail, 'from' | 'replyTo' | 'to' | 'cc'> | undefined,
	{ own, posting }: ReplyOwner,
	others: readonly MailPerson[] = [],
): ReplyPeople {
	const { to = [], cc = [] } = answered ?? {};
	const writers = answered ? writersOf(answered, posting) : [];
	const known = new Set(own.map(addressKey));
	known.add(addressKey(posting));
	const copies: MailPerson[] = [];
	const leftOut: MailPerson[] = [];
	for (const person of [...writers, ...to, ...cc, ...others]) {
		const key = addressKey(person.address);
		if (!known.has(key) && copies.length < most) {
			known.add(key);
			(isSendable(person.address) ? copies : leftOut).push(person);
		}
	}
	return { to: posting === '' ? [] : [{ name: '', address: posting }], cc: copies, leftOut };
}

/** Reply-To, unless it names only the list: the list gets every reply, and the writer would get none. */
export function writersOf(
	{ from, replyTo }: Pick<ReadableMail, 'from' | 'replyTo'>,
	posting: string,
): readonly MailPerson[] {
	const asked = replyTo.filter(({ address }) => addressKey(address) !== addressKey(posting));
	return asked.length > 0 ? asked : from;
}

/** A list as in its address. */
export interface ListName {
	/** With `~`. */
	readonly owner: string;
	readonly name: string;
}

/** A list's posting address, found in mails. */
export interface PostingAddress {
	readonly address: string;
	/**
	 * A sender can forge headers. An address is sure on the forge's own list host, or if several people name it and
	 * nobody names another.
	 */
	readonly isSure: boolean;
	/** Further addresses of the list. They are no recipients beside it. */
	readonly others?: readonly string[];
}

type NamingMail = Pick<ReadableMail, 'headers' | 'from' | 'to' | 'cc'>;

const longestHeader = 500;

/**
 * The posting address from `List-Post` or recipient headers. `forgeHost`: the forge's list host; mails may use another.
 */
export function postingAddress(
	list: ListName,
	mails: readonly NamingMail[],
	forgeHost: string | undefined,
): PostingAddress | undefined {
	const named = namings(mails, list);
	const own = named.find(({ key }) => forgeHost !== undefined && key.endsWith(`@${forgeHost.toLowerCase()}`));
	const [first, second] = named;
	const sure = own ?? (second === undefined && first !== undefined && first.senders > 1 ? first : undefined);
	const likely = sure ?? first;
	return likely && { address: likely.address, isSure: sure !== undefined };
}

export function listAddresses(list: ListName, mails: readonly NamingMail[]): readonly string[] {
	return namings(mails, list).map(({ address }) => address);
}

interface Naming {
	readonly address: string;
	readonly key: string;
	/** Number of people who name it. */
	readonly senders: number;
}

/** Addresses of this list in mails, ordered by the number of people, then by the number of mails. */
function namings(mails: readonly NamingMail[], { owner, name }: ListName): readonly Naming[] {
	const wanted = `${owner}/${name}`.toLowerCase();
	const known = new Map<string, { readonly address: string; readonly senders: Set<string>; mails: number }>();
	for (const mail of mails) {
		const listPosts = mail.headers
			.filter((header) => header.name === 'list-post')
			.flatMap(({ value }) => {
				const [, written = ''] = /<mailto:([^<>?\s]+)(?:\?[^<>\s]*)?>/i.exec(value.slice(0, longestHeader)) ?? [];
				return written === '' ? [] : [written.replaceAll(/%7e/gi, '~').replaceAll(/%2f/gi, '/')];
			});
		const recipients = [...mail.to, ...mail.cc].map(({ address }) => address);
		const named = [...listPosts, ...recipients].filter(
			(address) => isSendable(address) && addressKey(address).split('@')[0] === wanted,
		);
		for (const [key, address] of new Map(named.map((each) => [addressKey(each), each]))) {
			const naming = known.get(key) ?? { address, senders: new Set(), mails: 0 };
			known.set(key, naming);
			naming.senders.add(addressKey(mail.from[0]?.address ?? ''));
			naming.mails += 1;
		}
	}
	return Array.from(known)
		.toSorted(([, a], [, b]) => b.senders.size - a.senders.size || b.mails - a.mails)
		.map(([key, { address, senders }]) => ({ key, address, senders: senders.size }));
}
