import { originOf } from 'sourcehut/port/instance.ts';
import type { Connection } from '../../../store/connection.ts';
import type { ListRef } from 'sourcehut/port/list.ts';
import type { ReadableMail, MailPerson } from 'patchmail/mail/readableMail.ts';
import { type PostingAddress, postingAddress } from 'patchmail/review/replyPeople.ts';
import type { ListsContext } from '../context/listsContext.ts';

/** Maximum number of recent mails loaded to find a list's address. */
const mostRead = 8;

/**
 * The confirmed address of a list, otherwise the one in the given and the newest mails. Without confirmation it is
 * certain only on the forge's host: a single stranger may have sent all given mails.
 */
export async function addressOf(
	{ instance, lists, listChoices, texts }: Connection,
	ref: ListRef,
	mails: readonly ReadableMail[],
	signal: AbortSignal,
): Promise<PostingAddress | undefined> {
	const confirmed = listChoices.posting(ref);
	const isStated = instance.archiveUrl !== undefined;
	const known =
		lists.collection.known(ref) ?? (isStated && confirmed === undefined ? await lists.list(ref, signal) : undefined);
	const stated = known?.address === undefined ? [] : [known.address, ...(known.otherAddresses ?? [])];
	const address = confirmed ?? stated[0];
	if (address !== undefined) {
		return { address, isSure: true, others: stated };
	}
	const host = URL.parse(originOf(instance, 'lists'))?.hostname;
	const isOwn = (address: string | undefined): boolean =>
		host !== undefined && address?.toLowerCase().endsWith(`@${host}`) === true;
	const read = [...mails];
	let found = postingAddress(ref, read, host);
	if (isOwn(found?.address)) {
		return found;
	}
	const { items } = await lists.posts(ref).first(signal);
	for (const { id } of items.slice(0, mostRead)) {
		const { reading } = await texts.readPatch(id, signal);
		read.push(...(reading.kind === 'read' ? [reading.mail] : []));
		found = postingAddress(ref, read, host);
		if (isOwn(found?.address)) {
			return found;
		}
	}
	return found;
}

/** Git's sender identity, otherwise the forge's account; with all known addresses of the same person. */
export async function writerOf(
	connection: Connection,
	{ mailer }: ListsContext,
	clone: string | undefined,
	signal: AbortSignal,
): Promise<{ readonly from: MailPerson; readonly own: readonly string[] } | undefined> {
	const { me, people } = connection;
	const identity = await mailer.identity(connection.instance, clone, signal);
	const known = people.ownAddress() ?? people.known(me)?.address;
	const address = identity?.address ?? known ?? (await people.ownProfile(signal)).email;
	if (address === undefined) {
		return undefined;
	}
	const name = identity === undefined || identity.name === '' ? me.replace(/^~/, '') : identity.name;
	return { from: { name, address }, own: [...new Set([address, ...(known === undefined ? [] : [known])])] };
}

/** As unique as the name. */
export function newMessageId(name: string, { address }: MailPerson): string {
	const host = address.slice(address.lastIndexOf('@') + 1);
	return `<forge-desk-${name}@${host}>`;
}
