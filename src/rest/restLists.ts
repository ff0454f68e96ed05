import type { ListApi } from '../forge/forge.ts';
import type { Email, ListRef, PatchsetRef, ShortEmail } from '../forge/list.ts';
import { listRefText } from '../forge/list.ts';
import type { OwnerName } from '../forge/user.ts';
import { spelled } from '../forge/word.ts';
import type { Caller } from './caller.ts';
import { emailSegment } from './emailId.ts';
import { listEndpoints as endpoints } from './listEndpoints.ts';
import { seriesOrder, threadOrder } from './mailOrder.ts';
import { observedEndpoints } from './observedEndpoints.ts';
import { ownOnly } from './ownOnly.ts';
import { inOnePage, paged, wholeOf } from './pages.ts';

const byId = { key: ({ id }: { readonly id: number }) => id };

/** Mailing lists, mails and patchsets, over REST. */
export function restLists(caller: Caller): ListApi {
	const { call } = caller;
	return {
		lists: (owner, signal) =>
			paged(caller, endpoints.lists, { params: {}, owner, signal }, { key: ({ name }) => name }),
		list: (ref, signal) => call(endpoints.list, { ...inList(ref), signal }),
		create: ({ name, description }, signal) =>
			call(endpoints.create, {
				params: {},
				body: { name, ...(description === undefined ? {} : { description }) },
				signal,
			}),
		async update({ owner, name }, description, signal) {
			ownOnly(caller, owner);
			return call(endpoints.update, { params: { 'list-name': name }, body: { description }, signal });
		},
		async remove({ owner, name }, signal) {
			ownOnly(caller, owner);
			await call(observedEndpoints.removeList, { params: { 'list-name': name }, signal });
		},
		posts: (ref, signal) => paged(caller, endpoints.posts, { ...inList(ref), signal }, byId),
		search: (ref, terms, signal) =>
			paged(caller, endpoints.posts, { ...inList(ref), query: { search: terms }, signal }, byId),
		emailsOf: (owner, signal) => paged(caller, endpoints.emails, { params: {}, owner, signal }, byId),
		async email(id, signal) {
			return await call(endpoints.email, { params: { 'email-id': emailSegment(id) }, signal });
		},
		async thread(id, signal) {
			const list = paged(caller, endpoints.thread, { params: { 'email-id': emailSegment(id) }, signal }, byId);
			return threadOrder((await wholeOf<Email | ShortEmail>(list)).items);
		},
		patchsets: (ref, signal) => paged(caller, endpoints.patchsets, { ...inList(ref), signal }, byId),
		patchset: (ref, signal) => call(endpoints.patchset, { ...inPatchset(ref), signal }),
		setPatchsetStatus: (ref, status, signal) =>
			call(endpoints.updatePatchset, { ...inPatchset(ref), body: { status: spelled(status) }, signal }),
		patches: (ref, signal) =>
			inOnePage(paged(caller, endpoints.patches, { ...inPatchset(ref), signal }, byId), seriesOrder),
		subscriptions: (signal) => paged(caller, endpoints.subscriptions, { params: {}, signal }, byId),
		subscription: (id, signal) => call(endpoints.subscription, { params: { 'sub-id': id }, signal }),
		subscribe: (ref, signal) => call(endpoints.subscribe, { params: {}, body: { list: listRefText(ref) }, signal }),
		unsubscribe: ({ id }, signal) => call(endpoints.unsubscribe, { params: { 'sub-id': id }, signal }),
	};
}

interface InList {
	readonly params: { readonly 'list-name': string };
	readonly owner: OwnerName;
}

function inList({ owner, name }: ListRef): InList {
	return { params: { 'list-name': name }, owner };
}

interface InPatchset {
	readonly params: { readonly 'list-name': string; readonly id: number };
	readonly owner: OwnerName;
}

function inPatchset({ list, id }: PatchsetRef): InPatchset {
	return { params: { 'list-name': list.name, id }, owner: list.owner };
}
