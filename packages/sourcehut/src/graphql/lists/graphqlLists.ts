import { moreOfUnknown } from '../../answers/pages.ts';
import { homeFile, type FileLink } from '../../answers/streamedFile.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { pushAll } from '@forge-desk/base/longArrays.ts';
import type { ListApi } from '../../port/forge.ts';
import { ForgeError, isForgeError } from '../../port/forgeError.ts';
import {
	listKey,
	refOfList,
	type Email,
	type EmailId,
	type ListRef,
	type ArchivePiece,
	type Subscription,
} from '../../port/list.ts';
import { mailOrder } from 'patchmail/mail/mailOrder.ts';
import type { Pages } from '../../port/page.ts';
import { spelled } from '../../port/word.ts';
import type { GraphqlCaller } from '../transport/graphqlCaller.ts';
import { listOf, orNotFound, readBack } from '../transport/listed.ts';
import { askableId, bareName, byName } from '../transport/variables.ts';
import { graphqlActivity } from './graphqlActivity.ts';
import { bracketed, type FoundMail } from './listAnswers.ts';
import {
	createList,
	deleteList,
	findMail,
	listLists,
	listMails,
	listPatchsets,
	listThreads,
	readList,
	readMail,
	readPatchset,
	readPatchsetThread,
	readThread,
	updateList,
	updatePatchset,
	listSubscribed,
	listSubscriptions,
	readSubscribed,
	subscribeToList,
	unsubscribeFromList,
} from './listDocuments.ts';
import { listIds, type ListIds } from './listIds.ts';
import { rawMail, rawMails, type RawMail, type RawMails, threadsOfPatches } from './rawMails.ts';
import { MailboxReader } from 'patchmail/mail/mailbox.ts';
import { findMailAnywhere } from './oldMailDocuments.ts';

/** Mails of so many bytes come together. */
const usualBytes = 1024 * 1024;

const byId = ({ id }: { readonly id: number }): number => id;

/**
 * A forbidden write returns null without an error (docs/protocol.md#rights-in-lists). `look` reads the thing to
 * distinguish forbidden from missing.
 */
async function orNotAllowed<T>(sending: Promise<T | undefined>, look: () => Promise<unknown>): Promise<T> {
	const done = await sending;
	if (done !== undefined) {
		return done;
	}
	throw new ForgeError({ kind: (await look()) === undefined ? 'notFound' : 'notAllowed' });
}

/**
 * Lists, mails and patchsets over GraphQL. The API has no search and no complete list of a user's mails, so both
 * members are absent.
 */
export function graphqlLists(caller: GraphqlCaller, files: FileLink, ids: ListIds = listIds(caller)): ListApi {
	const { ask, me } = caller;

	return {
		...graphqlMails(caller, files.clock, ids),
		...graphqlSubscriptions(caller, ids),
		archive: listArchive(ids, files),
		activity: graphqlActivity(caller),
		lists: (owner, signal) => listOf(caller, listLists, { owner: bareName(owner ?? me) }, ({ name }) => name, signal),
		async list(ref, signal) {
			const list = orNotFound(await ask(readList, byName(ref), signal));
			ids.met(ref);
			return list;
		},
		// The API requires a visibility; public is the default of the REST generation.
		async create({ name, description }, signal) {
			orNotFound(await ask(createList, { name, description, visibility: 'PUBLIC' }, signal));
			return readBack(ask(readList, byName({ owner: me, name }), signal));
		},
		async update(ref, description, signal) {
			const id = await ids.current(ref, signal);
			const input = { description: description === '' ? null : description };
			await orNotAllowed(ask(updateList, { id, input }, signal), () => ask(readList, byName(ref), signal));
			return readBack(ask(readList, byName(ref), signal));
		},
		async remove(ref, signal) {
			const id = await ids.current(ref, signal);
			await orNotAllowed(ask(deleteList, { id }, signal), () => ask(readList, byName(ref), signal));
		},
		posts: (ref, signal) => listOf(caller, listThreads, byName(ref), byId, signal),
		mails: (ref, signal) => listOf(caller, listMails, byName(ref), byId, signal),
		patchsets: (ref, signal) => listOf(caller, listPatchsets, byName(ref), byId, signal),
		patchset: async ({ id }, signal) => orNotFound(await ask(readPatchset, { id: askableId(id) }, signal)),
		async setPatchsetStatus({ id: wanted }, status, signal) {
			const id = askableId(wanted);
			const sending = ask(updatePatchset, { id, status: spelled(status).toUpperCase() }, signal);
			await orNotAllowed(sending, () => ask(readPatchset, { id }, signal));
			return readBack(ask(readPatchset, { id }, signal));
		},
	};
}

/**
 * Mails of threads and patchsets over GraphQL. Mailboxes are complete, so they supply mails and text; the ids of mails
 * come from their thread's blocks (docs/protocol.md#graphql-mailboxes).
 */
function graphqlMails(
	caller: GraphqlCaller,
	clock: Clock,
	ids: ListIds,
): Pick<ListApi, 'email' | 'thread' | 'patches'> {
	const { ask } = caller;
	const raw = rawMails(caller);
	const known = threadsOfPatches(clock);

	/** Only the list of a mail knows its Message-ID. */
	async function findNamed(list: ListRef, name: string, signal: AbortSignal): Promise<FoundMail | undefined> {
		const messageId = bracketed(name);
		const found = await ask(findMail, { ...byName(list), messageId }, signal);
		if (found?.kind !== 'notAskedFor') {
			return found?.mail;
		}
		const anywhere = await ask(findMailAnywhere, { messageId }, signal);
		const isThere = anywhere?.mail.list && listKey(refOfList(anywhere.mail.list)) === listKey(list);
		return isThere ? anywhere : undefined;
	}

	async function find(id: EmailId, signal: AbortSignal): Promise<FoundMail> {
		if (typeof id === 'number') {
			return orNotFound(await ask(readMail, { id: askableId(id) }, signal));
		}
		return orNotFound(id.list && (await findNamed(id.list, id.messageId, signal)));
	}

	/**
	 * The mails of a mailbox with their ids, and mails that only the blocks contain. Not whole if the mailbox has a mail
	 * without a known id.
	 */
	async function named(
		mails: readonly FoundMail[],
		mailbox: readonly RawMail[],
		list: ListRef | undefined,
		signal: AbortSignal,
	) {
		const byMessageId = new Map(mails.map((each) => [each.mail.messageId, each]));
		let isWhole = true;
		for (const { messageId } of mailbox) {
			if (!byMessageId.has(messageId)) {
				// Mails without text have no block.
				const found = list && (await findNamed(list, messageId, signal));
				isWhole &&= found !== undefined;
				if (found) {
					byMessageId.set(messageId, found);
				}
			}
		}
		return { byMessageId, isWhole };
	}

	/** A thread and its mailbox. Reuses a thread that arrived with its patches, if the mailbox has the same mails. */
	async function threadOf(id: number, signal: AbortSignal) {
		const before = known.taken(id);
		const mailbox = before && (await raw.thread(before.rootId, signal));
		const there = new Set(mailbox?.map(({ messageId }) => messageId));
		// No mail was added or deleted since.
		if (
			before &&
			mailbox &&
			there.size === before.mails.length &&
			before.mails.every(({ mail }) => there.has(mail.messageId))
		) {
			return { thread: before, mailbox };
		}
		const thread = orNotFound(await ask(readThread, { id }, signal));
		return { thread, mailbox: await raw.thread(thread.rootId, signal) };
	}

	return {
		async email(id, signal) {
			const found = await find(id, signal);
			if (found.mail.list) {
				ids.met(refOfList(found.mail.list));
			}
			return longMail(found, await raw.mail(found.mail.id, signal));
		},
		async thread(id, signal) {
			const anyId = typeof id === 'number' ? askableId(id) : (await find(id, signal)).mail.id;
			const { thread, mailbox } = await threadOf(anyId, signal);
			const { mails, list } = thread;
			if (list) {
				ids.met(refOfList(list));
			}
			const { byMessageId, isWhole } = await named(mails, mailbox, list && refOfList(list), signal);
			if (!isWhole) {
				throw new ForgeError({ kind: 'notUnderstood', where: 'the thread', why: 'a mail of it has no number' });
			}
			const texts = await textsOf(raw, byMessageId, mailbox, signal);
			return mailOrder(
				[...byMessageId.values()].map((each) => {
					const text = texts.get(each.mail.messageId);
					return text === undefined ? each.mail : longMail(each, text);
				}),
			);
		},
		async *patches(ref, signal): Pages<Email> {
			const id = askableId(ref.id);
			const [found, mailbox] = await Promise.all([ask(readPatchsetThread, { id }, signal), raw.patches(id, signal)]);
			const { mails } = known.told(orNotFound(found));
			const { byMessageId, isWhole } = await named(mails, mailbox, ref.list, signal);
			const texts = await textsOf(raw, byMessageId, mailbox, signal);
			// The mailbox has exactly the patches, in order.
			const items = mailbox.flatMap(({ messageId }) => {
				const mail = byMessageId.get(messageId);
				return mail ? [longMail({ ...mail, isPatch: true }, texts.get(messageId) ?? '')] : [];
			});
			yield { items, seen: items.length, completeness: isWhole ? { kind: 'complete' } : moreOfUnknown };
		},
	};
}

/** Texts by Message-ID. Downloads a mail alone if its text in the mailbox may be altered. */
async function textsOf(
	raw: RawMails,
	byMessageId: ReadonlyMap<string, FoundMail>,
	mailbox: readonly RawMail[],
	signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
	const texts = new Map<string, string>();
	for (const { messageId, envelope, isDoubtful } of mailbox) {
		const id = isDoubtful ? byMessageId.get(messageId)?.mail.id : undefined;
		texts.set(messageId, id === undefined ? envelope : await raw.mail(id, signal));
	}
	return texts;
}

function longMail({ mail, isPatch, replies, participants }: FoundMail, envelope: string): Email {
	const isFirst = mail.threadId === undefined;
	return {
		...mail,
		isPatch,
		// The server doesn't mark pull requests; the view detects them in the text.
		isRequestPull: false,
		// REST servers report these only with a thread's first mail, too.
		replies: isFirst ? replies : 0,
		participants: isFirst ? participants : 0,
		envelope,
	};
}

/** Streams all mails of a list from its mailbox (docs/protocol.md#graphql-mailboxes). */
function listArchive(ids: ListIds, files: FileLink): ListApi['archive'] & {} {
	return async function* (ref, { sinceDays, mostBytes }, signal) {
		const id = await ids.current(ref, signal);
		const path = `/query/list/${id}.mbox${sinceDays === undefined ? '' : `?since=${sinceDays}`}`;
		const file = homeFile(files, { area: 'lists', scope: 'emails:read' }, path, mostBytes, signal);
		yield* piecesOf(file);
	};
}

/** Splits a mailbox while it downloads. Mails stay whole across chunks. */
export async function* piecesOf(
	chunks: AsyncIterable<Uint8Array>,
	pieceBytes = usualBytes,
): AsyncGenerator<ArchivePiece, void, undefined> {
	const reader = new MailboxReader(undefined, Infinity);
	let mails: string[] = [];
	let [bytes, waitingBytes] = [0, 0];
	for await (const chunk of chunks) {
		pushAll(
			mails,
			reader.add(chunk).map((each) => rawMail(each).envelope),
		);
		waitingBytes += chunk.byteLength;
		bytes += chunk.byteLength;
		if (waitingBytes >= pieceBytes) {
			yield { bytes, mails };
			[mails, waitingBytes] = [[], 0];
		}
	}
	yield { bytes, mails: [...mails, ...(reader.end() ?? []).map((each) => rawMail(each).envelope)] };
}

/** A document holds 24 requests for single lists. */
const mostNamed = 100;

/** List subscriptions over GraphQL. The API has no lookup by id. */
function graphqlSubscriptions(caller: GraphqlCaller, ids: ListIds) {
	const { ask, me } = caller;
	/** Subscriptions by id, from all responses. */
	const known = new Map<number, Subscription>();

	function remember(told: readonly (Subscription | undefined)[]): void {
		told.forEach((each) => each && known.set(each.id, each));
	}

	/** The subscriptions that the lists report: for own lists, and for lists with known names. */
	async function lookAround(named: readonly ListRef[], signal: AbortSignal): Promise<readonly Subscription[]> {
		const found: Subscription[] = [];
		const refs = new Map([...named, ...ids.refs()].map((ref) => [listKey(ref), ref]));
		for await (const { items } of listOf(caller, listSubscribed, { owner: bareName(me) }, ({ name }) => name, signal)) {
			pushAll(
				found,
				items.flatMap((each) => each.own ?? []),
			);
			items.forEach(({ name }) => refs.delete(listKey({ owner: me, name })));
		}
		const asked = [...refs.values()].slice(0, mostNamed);
		const told = await Promise.all(asked.map((ref) => ask(readSubscribed, byName(ref), signal)));
		pushAll(
			found,
			told.flatMap((each) => each?.own ?? []),
		);
		remember(found);
		return found;
	}

	/**
	 * The server lists at most 25 subscriptions, and omits all names if one of the lists is hidden. Then each list with
	 * a known name needs its own request, and the result never counts as complete
	 * (docs/protocol.md#graphql-subscriptions).
	 */
	async function* subscriptions(named: readonly ListRef[], signal: AbortSignal): Pages<Subscription> {
		const told = new Set<number>();
		let around: readonly Subscription[] | undefined;
		let hidden = 0;
		const pages = listOf(caller, listSubscriptions, {}, ({ id }) => id, signal);
		for await (const { items: numbered, completeness, ...page } of pages) {
			remember(numbered.map((each) => each.known));
			const isCut = completeness.kind === 'more' && completeness.isLast === true;
			if (isCut || numbered.some(({ id }) => !known.has(id))) {
				around ??= await lookAround(named, signal);
			}
			const items = numbered.flatMap(({ id }) => known.get(id) ?? []);
			hidden += numbered.length - items.length;
			items.forEach(({ id }) => told.add(id));
			const more = isCut ? (around ?? []).filter(({ id }) => !told.has(id)) : [];
			more.forEach(({ id }) => told.add(id));
			const isPart = completeness.kind === 'complete' && hidden > 0;
			yield {
				...page,
				items: [...items, ...more],
				seen: told.size,
				completeness: isPart ? { kind: 'more', total: told.size + hidden } : completeness,
			};
		}
	}

	return {
		subscriptions,
		async subscribe(ref, signal) {
			orNotFound(await ask(subscribeToList, { id: await ids.current(ref, signal) }, signal));
			const made = await readBack(ask(readSubscribed, byName(ref), signal).then((each) => each?.own));
			remember([made]);
			return made;
		},
		async unsubscribe({ list }, signal) {
			const id = await ids.current(refOfList(list), signal);
			// Null, or not found, if another client unsubscribed first.
			await ask(unsubscribeFromList, { id }, signal).catch((error: unknown) => {
				if (!isForgeError(error) || error.problem.kind !== 'notFound') {
					throw error;
				}
			});
		},
	} satisfies Partial<ListApi>;
}
