import type { ListApi } from '../../forge/forge.ts';
import { ForgeError } from '../../forge/forgeError.ts';
import type { ListRef } from '../../forge/list.ts';
import { spelled } from '../../forge/word.ts';
import type { GraphqlCaller } from '../door/graphqlCaller.ts';
import { listed, orNotFound } from '../door/listed.ts';
import { graphqlMails } from './graphqlMails.ts';
import { createList, deleteList, listLists, listThreads, readList, updateList } from './listDocuments.ts';
import { inList, listIds } from './listIds.ts';
import { listPatchsets, readPatchset, updatePatchset } from './mailDocuments.ts';
import { graphqlSubscriptions } from './graphqlSubscriptions.ts';

const byId = ({ id }: { readonly id: number }): number => id;

/**
 * Mailing lists, mails and patchsets, over GraphQL. There is no search, and of what somebody wrote in all lists only a part
 * can be had, so both are absent.
 */
export function graphqlLists(caller: GraphqlCaller): ListApi {
	const { ask, me } = caller;
	const ids = listIds(caller);

	/** What comes back null was refused: these servers say nothing else of lists that are there. */
	async function orNotAllowed<T>(ref: ListRef, work: Promise<T | undefined>, signal: AbortSignal): Promise<T> {
		const done = await work;
		if (done !== undefined) {
			return done;
		}
		ids.forget(ref);
		orNotFound(await ask(readList, inList(ref), signal));
		throw new ForgeError({ kind: 'notAllowed' });
	}

	return {
		...graphqlMails(caller),
		...graphqlSubscriptions(caller, ids),
		lists: (owner, signal) =>
			listed(
				{
					fetch: (cursor, pageSignal) => ask(listLists, { owner: (owner ?? me).replace(/^~/, ''), cursor }, pageSignal),
					key: ({ name }) => name,
				},
				signal,
			),
		async list(ref, signal) {
			const list = orNotFound(await ask(readList, inList(ref), signal));
			ids.told(ref, list.id);
			return list;
		},
		create: async ({ name, description }, signal) =>
			orNotFound(await ask(createList, { name, description, visibility: 'PUBLIC' }, signal)),
		async update(ref, description, signal) {
			const id = await ids.of(ref, signal);
			const input = { description: description === '' ? null : description };
			return orNotAllowed(ref, ask(updateList, { id, input }, signal), signal);
		},
		async remove(ref, signal) {
			const id = await ids.of(ref, signal);
			await orNotAllowed(ref, ask(deleteList, { id }, signal), signal);
			ids.forget(ref);
		},
		posts: (ref, signal) =>
			listed(
				{
					fetch: (cursor, pageSignal) => ask(listThreads, { ...inList(ref), cursor }, pageSignal),
					key: byId,
					isLossy: true,
				},
				signal,
			),
		patchsets: (ref, signal) =>
			listed(
				{
					fetch: (cursor, pageSignal) => ask(listPatchsets, { ...inList(ref), cursor }, pageSignal),
					key: byId,
					isLossy: true,
				},
				signal,
			),
		patchset: async ({ id }, signal) => orNotFound(await ask(readPatchset, { id }, signal)),
		setPatchsetStatus: ({ id, list }, status, signal) =>
			orNotAllowed(list, ask(updatePatchset, { id, status: spelled(status).toUpperCase() }, signal), signal),
	};
}
