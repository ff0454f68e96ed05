import type { StreamOptions } from '../../answers/streamedFile.ts';
import type { Clock } from '../../base/clock.ts';
import type { ListApi } from '../../forge/forge.ts';
import { ForgeError } from '../../forge/forgeError.ts';
import type { ListRef } from '../../forge/list.ts';
import { spelled } from '../../forge/word.ts';
import type { GraphqlCaller } from '../door/graphqlCaller.ts';
import { listed, orNotFound, readBack } from '../door/listed.ts';
import { askableId, bareName, byName } from '../door/variables.ts';
import { graphqlMails } from './graphqlMails.ts';
import { createList, deleteList, listLists, listThreads, readList, updateList } from './listDocuments.ts';
import { listArchive } from './listArchive.ts';
import { listIds, type ListIds } from './listIds.ts';
import { listMails, listPatchsets, readPatchset, updatePatchset } from './mailDocuments.ts';
import { graphqlSubscriptions } from './graphqlSubscriptions.ts';

const byId = ({ id }: { readonly id: number }): number => id;

/** A write that comes back null where it was refused, and how to see whether what it was about is there at all. */
interface Refusable<T> {
	readonly work: Promise<T | undefined>;
	readonly look: () => Promise<unknown>;
}

/** These servers say nothing else of what they refuse (docs/protocol.md#rights-in-lists). */
async function orNotAllowed<T>({ work, look }: Refusable<T>): Promise<T> {
	const done = await work;
	if (done !== undefined) {
		return done;
	}
	throw new ForgeError({ kind: (await look()) === undefined ? 'notFound' : 'notAllowed' });
}

export interface GraphqlListsOptions {
	readonly clock: Pick<Clock, 'nowMs'>;
	readonly streaming: StreamOptions;
	/** Shared with who else meets lists; left out, they are this service's own. */
	readonly ids?: ListIds;
}

/**
 * Mailing lists, mails and patchsets, over GraphQL. There is no search, and of what somebody wrote in all lists only a part
 * can be had, so both are absent.
 */
export function graphqlLists(
	caller: GraphqlCaller,
	{ clock, streaming, ids = listIds(caller) }: GraphqlListsOptions,
): ListApi {
	const { ask, me } = caller;

	async function written<T>(ref: ListRef, work: Promise<T | undefined>, signal: AbortSignal): Promise<T> {
		return orNotAllowed({
			work,
			look() {
				// Its name may have been given to another one.
				ids.forget(ref);
				return ask(readList, byName(ref), signal);
			},
		});
	}

	return {
		...graphqlMails(caller, clock, ids),
		...graphqlSubscriptions(caller, ids),
		archive: listArchive(ids, streaming),
		lists: (owner, signal) =>
			listed(
				{
					fetch: (cursor, pageSignal) => ask(listLists, { owner: bareName(owner ?? me), cursor }, pageSignal),
					key: ({ name }) => name,
				},
				signal,
			),
		async list(ref, signal) {
			const list = orNotFound(await ask(readList, byName(ref), signal));
			ids.told(ref, list.id);
			return list;
		},
		// A visibility is always needed; the public one is what lists of other generations begin with.
		async create({ name, description }, signal) {
			orNotFound(await ask(createList, { name, description, visibility: 'PUBLIC' }, signal));
			return readBack(ask(readList, byName({ owner: me, name }), signal));
		},
		async update(ref, description, signal) {
			const id = await ids.of(ref, signal);
			const input = { description: description === '' ? null : description };
			await written(ref, ask(updateList, { id, input }, signal), signal);
			return readBack(ask(readList, byName(ref), signal));
		},
		async remove(ref, signal) {
			const id = await ids.of(ref, signal);
			await written(ref, ask(deleteList, { id }, signal), signal);
			ids.forget(ref);
		},
		posts: (ref, signal) =>
			listed(
				{
					fetch: (cursor, pageSignal) => ask(listThreads, { ...byName(ref), cursor }, pageSignal),
					key: byId,
					isLossy: true,
				},
				signal,
			),
		mails: (ref, signal) =>
			listed(
				{
					fetch: (cursor, pageSignal) => ask(listMails, { ...byName(ref), cursor }, pageSignal),
					key: byId,
					isLossy: true,
				},
				signal,
			),
		patchsets: (ref, signal) =>
			listed(
				{
					fetch: (cursor, pageSignal) => ask(listPatchsets, { ...byName(ref), cursor }, pageSignal),
					key: byId,
					isLossy: true,
				},
				signal,
			),
		patchset: async ({ id }, signal) => orNotFound(await ask(readPatchset, { id: askableId(id) }, signal)),
		async setPatchsetStatus({ id: wanted }, status, signal) {
			const id = askableId(wanted);
			await orNotAllowed({
				work: ask(updatePatchset, { id, status: spelled(status).toUpperCase() }, signal),
				look: () => ask(readPatchset, { id }, signal),
			});
			return readBack(ask(readPatchset, { id }, signal));
		},
	};
}
