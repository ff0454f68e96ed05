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
	/** Empty while it is not known. */
	readonly posting: string;
}

/** More people are no conversation. */
const most = 100;

/**
 * A reply goes to the list, and in copy to whoever wrote the mail and to all whom that mail reached, and to others who
 * take part in the conversation; the writer's own addresses and other spellings of the list are left out.
 */
export function replyPeople(
	answered: Pick<ReadableMail, 'from' | 'replyTo' | 'to' | 'cc'> | undefined,
	{ own, posting }: ReplyOwner,
	others: readonly MailPerson[] = [],
): ReplyPeople {
	const { to = [], cc = [] } = answered ?? {};
	const writers = answered ? writersOf(answered, posting) : [];
	const known = new Set(own.map(keyOf));
	known.add(keyOf(posting));
	const copies: MailPerson[] = [];
	const leftOut: MailPerson[] = [];
	for (const person of [...writers, ...to, ...cc, ...others]) {
		const key = keyOf(person.address);
		if (!known.has(key) && copies.length < most) {
			known.add(key);
			(isSendable(person.address) ? copies : leftOut).push(person);
		}
	}
	return { to: posting === '' ? [] : [{ name: '', address: posting }], cc: copies, leftOut };
}

/**
 * Where the writer of a mail is reached: where Reply-To asks for it, unless it names only the list. That gets every reply,
 * and would be the only one to get it.
 */
export function writersOf(
	{ from, replyTo }: Pick<ReadableMail, 'from' | 'replyTo'>,
	posting: string,
): readonly MailPerson[] {
	const asked = replyTo.filter(({ address }) => keyOf(address) !== keyOf(posting));
	return asked.length > 0 ? asked : from;
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

/** Where a list is written to, as mails name it. */
export interface PostingAddress {
	readonly address: string;
	/**
	 * Whoever sends a mail writes its headers and can invent senders. An address counts on the forge's own host for lists, or
	 * where several people name it and nobody names another one.
	 */
	readonly isSure: boolean;
}

type NamingMail = Pick<ReadableMail, 'headers' | 'from' | 'to' | 'cc'>;

const longestHeader = 500;

/**
 * The address that a list is written to, as mails name it in `List-Post` or were sent to it. `forgeHost` is the host of the
 * forge's lists, where mails may go to another one.
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

/** All addresses that mails name for a list. */
export function listAddresses(list: ListName, mails: readonly NamingMail[]): readonly string[] {
	return namings(mails, list).map(({ address }) => address);
}

interface Naming {
	readonly address: string;
	readonly key: string;
	/** How many people name it. */
	readonly senders: number;
}

/** Addresses of this very list that mails name, those first that most people name, and of these what most mails name. */
function namings(mails: readonly NamingMail[], { owner, name }: ListName): readonly Naming[] {
	const wanted = `${owner}/${name}`.toLowerCase();
	const known = new Map<string, { readonly address: string; readonly senders: Set<string>; mails: number }>();
	for (const mail of mails) {
		const named = [...listPosts(mail), ...recipients(mail)].filter(
			(address) => isSendable(address) && keyOf(address).split('@')[0] === wanted,
		);
		for (const [key, address] of new Map(named.map((each) => [keyOf(each), each]))) {
			const naming = known.get(key) ?? { address, senders: new Set(), mails: 0 };
			known.set(key, naming);
			naming.senders.add(keyOf(mail.from[0]?.address ?? ''));
			naming.mails += 1;
		}
	}
	return Array.from(known)
		.toSorted(([, a], [, b]) => b.senders.size - a.senders.size || b.mails - a.mails)
		.map(([key, { address, senders }]) => ({ key, address, senders: senders.size }));
}

function recipients({ to, cc }: NamingMail): readonly string[] {
	return [...to, ...cc].map(({ address }) => address);
}

function listPosts({ headers }: Pick<ReadableMail, 'headers'>): readonly string[] {
	return headers
		.filter(({ name }) => name === 'list-post')
		.flatMap(({ value }) => {
			const [, written = ''] = /<mailto:([^<>?\s]+)(?:\?[^<>\s]*)?>/i.exec(value.slice(0, longestHeader)) ?? [];
			return written === '' ? [] : [written.replaceAll(/%7e/gi, '~').replaceAll(/%2f/gi, '/')];
		});
}
