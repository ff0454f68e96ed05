import type { StreamOptions } from '../../answers/streamedFile.ts';
import type { Clock } from '../../base/clock.ts';
import type { ListApi } from '../../forge/forge.ts';
import { ForgeError } from '../../forge/forgeError.ts';
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

export interface GraphqlListsOptions {
	readonly clock: Pick<Clock, 'nowMs'>;
	readonly streaming: StreamOptions;
	/** Shared with the project service; without it, this API has its own cache. */
	readonly ids?: ListIds;
}

/**
 * Lists, mails and patchsets over GraphQL. The API has no search and no complete list of a user's mails, so both
 * members are absent.
 */
export function graphqlLists(
	caller: GraphqlCaller,
	{ clock, streaming, ids = listIds(caller) }: GraphqlListsOptions,
): ListApi {
	const { ask, me } = caller;

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
			const sending = ask(updatePatchset, { id, status: spelled(status).toUpperCase() }, signal);
			await orNotAllowed(sending, () => ask(readPatchset, { id }, signal));
			return readBack(ask(readPatchset, { id }, signal));
		},
	};
}
