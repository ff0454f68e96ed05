import { inOnePage } from '../answers/pages.ts';
import { artifactStream, fileWish, homeFile, type FileLink } from '../answers/streamedFile.ts';
import type { Forge, UserApi, RepositoryApi, ListApi } from '../port/forge.ts';
import { unfit } from '../port/forgeError.ts';
import type { Email, EmailId, ListRef, PatchsetRef, ShortEmail } from '../port/list.ts';
import { mailOrder } from 'patchmail/mail/mailOrder.ts';
import { refText } from '../port/namedRef.ts';
import { collectPages } from '../port/collectPages.ts';
import { spelled } from '../port/word.ts';
import { one } from './answers.ts';
import { caller, paged, type Caller, ownOnly } from './caller.ts';
import { rowsOf, pathOf } from './endpoint.ts';
import { isMissingFeature, orMissingFeature } from './missingFeatures.ts';
import { listEndpoints as endpoints, observedEndpoints, repositoryEndpoints } from './endpoints.ts';
import { problemOf } from './problems.ts';
import { spellingOf } from './restProtocol.ts';
import { restRepositories } from './restRepositories.ts';
import { restTrackers } from './restTrackers.ts';
import { restWebhooks } from './restWebhooks.ts';
import { exactTrackers } from './exactTracker.ts';
import { user } from './wire/user.ts';
import type { ForgeLink } from '../answers/forgeLink.ts';

/** The user resource. Each area serves it separately (docs/protocol.md#endpoints). */
export const userEndpoints = {
	lists: rowsOf('lists')('GET /api/user/:username', '/api/user', null, one(user)),
	git: rowsOf('git')('GET /api/user/:username', '/api/user', null, one(user)),
	todo: rowsOf('todo')('GET /api/user/:username', '/api/user', null, one(user)),
};

const versionEndpoints = {
	todo: observedEndpoints.todoVersion,
	git: observedEndpoints.gitVersion,
	lists: observedEndpoints.listsVersion,
};

const byId = { key: ({ id }: { readonly id: number }) => id };

/** A forge over its JSON API. Stateless; callers cache. */
export function restForge(link: ForgeLink): Forge & { readonly users: Required<UserApi> } {
	const calls = caller(link);
	const sure = exactTrackers(calls);
	return {
		me: link.me,
		users: restUsers(calls),
		trackers: restTrackers(calls, sure),
		lists: restLists(calls),
		repositories: { ...restRepositories(calls), ...restFiles(link) },
		webhooks: restWebhooks(calls, sure),
	};
}

/** Streams files of repositories and tags. */
export function restFiles(link: ForgeLink): Required<Pick<RepositoryApi, 'blobStream' | 'artifact'>> {
	const { instance, clock, me } = link;
	const { names: scopeNames } = spellingOf(instance);
	const files: FileLink = {
		...link,
		problemOf: (head, from) => problemOf(head, { ...from, nowMs: clock.nowMs(), scopeNames }),
	};
	return {
		// By commit and path, the only file route of every server. All files have the type of plain text or bytes.
		async *blobStream(ref, at, limitBytes, signal) {
			const target = { params: { name: ref.name, ref: at.ref, path: at.path }, owner: ref.owner };
			const path = pathOf(repositoryEndpoints.pathBlob, target, me);
			yield* homeFile(files, fileWish, path, limitBytes, signal);
		},
		artifact: artifactStream(files),
	};
}

export function restLists(caller: Caller): ListApi {
	const { call } = caller;
	async function remove(ref: ListRef, signal: AbortSignal): Promise<void> {
		ownOnly(caller.me, ref.owner);
		const work = call(observedEndpoints.removeList, { params: { 'list-name': ref.name }, signal });
		const isThere = async (): Promise<boolean> => Boolean(await call(endpoints.list, { ...inList(ref), signal }));
		await orMissingFeature(caller, { member: 'lists.remove', work, isThere });
	}

	return {
		updatesWithMails: true,
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
			ownOnly(caller.me, owner);
			return call(endpoints.update, { params: { 'list-name': name }, body: { description }, signal });
		},
		get remove() {
			return isMissingFeature(caller.learnt, 'lists.remove') ? undefined : remove;
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
			return mailOrder((await collectPages<Email | ShortEmail>(list)).items);
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

function inList({ owner, name }: ListRef) {
	return { params: { 'list-name': name }, owner };
}

function inPatchset({ list, id }: PatchsetRef) {
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

function restUsers({ call }: Caller): Required<UserApi> {
	return {
		user: (area, name, signal) => call(userEndpoints[area], { params: {}, owner: name, signal }),
		version: (area, signal) => call(versionEndpoints[area], { params: {}, signal }),
	};
}
