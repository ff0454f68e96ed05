import { paged } from './caller.ts';
import type { ListApi } from '../forge/forge.ts';
import type { Email, EmailId, ListRef, PatchsetRef, ShortEmail } from '../forge/list.ts';
import { mailOrder } from '../forge/mailOrder.ts';
import { refText } from '../forge/namedRef.ts';
import type { OwnerName } from '../forge/user.ts';
import { spelled } from '../forge/word.ts';
import type { Caller } from './caller.ts';
import { isLacking, orLacking } from './lacking.ts';
import { listEndpoints as endpoints } from './listEndpoints.ts';
import { observedEndpoints } from './observedEndpoints.ts';
import { ownOnly } from './ownOnly.ts';
import { inOnePage } from '../answers/pages.ts';
import { wholeOf } from '../forge/wholeOf.ts';
import { unfit } from '../forge/forgeError.ts';

const byId = { key: ({ id }: { readonly id: number }) => id };

export function restLists(caller: Caller): ListApi {
	const { call } = caller;
	async function remove(ref: ListRef, signal: AbortSignal): Promise<void> {
		ownOnly(caller, ref.owner);
		const work = call(observedEndpoints.removeList, { params: { 'list-name': ref.name }, signal });
		const isThere = async (): Promise<boolean> => Boolean(await call(endpoints.list, { ...inList(ref), signal }));
		await orLacking(caller, { member: 'lists.remove', work, isThere });
	}

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
		get remove() {
			return isLacking(caller.learnt, 'lists.remove') ? undefined : remove;
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
			return mailOrder((await wholeOf<Email | ShortEmail>(list)).items);
		},
		patchsets: (ref, signal) => paged(caller, endpoints.patchsets, { ...inList(ref), signal }, byId),
		patchset: (ref, signal) => call(endpoints.patchset, { ...inPatchset(ref), signal }),
		setPatchsetStatus: (ref, status, signal) =>
			call(endpoints.updatePatchset, { ...inPatchset(ref), body: { status: spelled(status) }, signal }),
		patches: (ref, signal) =>
			inOnePage(paged(caller, endpoints.patches, { ...inPatchset(ref), signal }, byId), seriesOrder),
		subscriptions: (_named, signal) => paged(caller, endpoints.subscriptions, { params: {}, signal }, byId),
		subscription: (id, signal) => call(endpoints.subscription, { params: { 'sub-id': id }, signal }),
		subscribe: (ref, signal) => call(endpoints.subscribe, { params: {}, body: { list: refText(ref) }, signal }),
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

/** Path segment of a mail: its number, or its Message-ID with the angle brackets required by servers. */
export function emailSegment(id: EmailId): string {
	if (typeof id === 'number') {
		return String(id);
	}
	const messageId = id.messageId.startsWith('<') ? id.messageId : `<${id.messageId}>`;
	if (messageId.includes('/')) {
		throw unfit('email-id', 'slashInMessageId');
	}
	return messageId;
}

/** Sorts patches by their numbers. Keeps the server's order if a subject has none. */
export function seriesOrder(patches: readonly Email[]): readonly Email[] {
	const numbered = patches.map((patch) => ({ patch, place: placeInSeries(patch.subject) }));
	return numbered.every(({ place }) => place !== undefined)
		? numbered.toSorted((a, b) => (a.place ?? 0) - (b.place ?? 0)).map(({ patch }) => patch)
		: patches;
}

/** 2 for `[PATCH proj v3 2/7] Subject`. */
function placeInSeries(subject: string): number | undefined {
	const start = subject.indexOf('[');
	const tag = subject.slice(start, subject.indexOf(']', start) + 1).slice(0, 200);
	const place = /(?:^|[\s[])(\d{1,5})\/\d{1,5}\]$/.exec(tag)?.[1];
	return place === undefined ? undefined : Number(place);
}
