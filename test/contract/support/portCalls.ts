import type { Forge } from 'sourcehut/port/forge.ts';
import type { Page, Pages } from 'sourcehut/port/page.ts';
import type { TicketRef } from 'sourcehut/port/ticket.ts';
import type { TicketOutcome } from 'sourcehut/port/ticketRequest.ts';
import type { WebhookFamily } from 'sourcehut/port/webhook.ts';
import { allItems, wanted } from '../../support/contractForge.ts';

/** A read of the port. */
export interface Reading {
	readonly name: string;
	/** `undefined` if the protocol lacks it. */
	readonly read: (forge: Forge) => Promise<unknown> | undefined;
	/** Unverified bytes: this call does not know their id, so its callers compare. */
	readonly isUnproven?: true;
}

/** A write of the port, with a count of its effects. */
export interface Writing {
	readonly name: string;
	/**
	 * After a lost answer the port may report `notFound`: the resource has a new number, and `sendOnce` looks for it.
	 */
	readonly mayBeMissing?: true;
	/**
	 * Prepares the world for one write whose texts contain `mark`. `undefined` if the protocol lacks the write. `write`
	 * runs it through another client; `effects` counts its traces: 0 before, 1 after a single write.
	 */
	readonly prepare: (
		forge: Forge,
		mark: string,
	) => Promise<
		{ readonly write: (through: Forge) => Promise<unknown>; readonly effects: () => Promise<number> } | undefined
	>;
}

const lantern = { owner: '~alice', name: 'lantern' };
const devel = { owner: '~alice', name: 'lantern-devel' };
const ticket = { tracker: lantern, id: 4 };
const colors = { background: '#1d76db', text: '#ffffff' };
const hookUrl = 'http://127.0.0.1:9/';

export const webhookFamilies: readonly WebhookFamily[] = [
	{ kind: 'user', area: 'todo' },
	{ kind: 'user', area: 'git' },
	{ kind: 'user', area: 'lists' },
	{ kind: 'tracker', ref: lantern },
	{ kind: 'ticket', ref: { tracker: lantern, id: 3 } },
	{ kind: 'repository', ref: lantern },
	{ kind: 'list', ref: devel },
];

/** Maximum of pages, so that an endless list ends. */
const mostPages = 6;

/** The pages of a list, up to six. */
export async function somePages<T>(pages: Pages<T>): Promise<readonly Page<T>[]> {
	const all: Page<T>[] = [];
	for await (const page of pages) {
		all.push(page);
		if (all.length === mostPages) {
			break;
		}
	}
	return all;
}

async function allOf<T>(pieces: AsyncIterable<T>): Promise<readonly T[]> {
	const all: T[] = [];
	for await (const piece of pieces) {
		all.push(piece);
	}
	return all;
}

/** One read per row of the API, and those of a single protocol. `mail`, `patchset`: numbers on `lantern-devel`. */
export async function allReadings(forge: Forge): Promise<readonly Reading[]> {
	const [patchset] = await allItems(forge.lists.patchsets(devel, wanted()));
	const mail = (await allItems(forge.lists.posts(devel, wanted()))).find(({ threadId }) => threadId === undefined);
	const [subscription] = await allItems(forge.lists.subscriptions([], wanted()));
	const { entries, id: treeId } = await forge.repositories.tree(lantern, undefined, wanted());
	const blob = entries.find(({ type }) => type === 'blob');
	const folder = entries.find(({ type }) => type === 'tree');
	const [newest] = (await forge.repositories.log(lantern, undefined, wanted()).next()).value?.items ?? [];
	if (!patchset || !mail || !subscription || !blob || !folder || !newest) {
		throw new Error('The world lacks something to read');
	}
	const one = { list: devel, id: patchset.id };
	const at = { ref: 'master', path: blob.name };
	return [
		...(['todo', 'git', 'lists'] as const).flatMap((area): readonly Reading[] => [
			{ name: `people of ${area}`, read: ({ users }) => users.user(area, '~bob', wanted()) },
			{ name: `oneself in ${area}`, read: ({ users }) => users.user(area, undefined, wanted()) },
			{ name: `the version of ${area}`, read: ({ users }) => users.version?.(area, wanted()) },
		]),
		{ name: 'trackers', read: ({ trackers }) => somePages(trackers.trackers(undefined, wanted())) },
		{ name: 'trackers of another', read: ({ trackers }) => somePages(trackers.trackers('~bob', wanted())) },
		{ name: 'a tracker', read: ({ trackers }) => trackers.tracker(lantern, wanted()) },
		{ name: 'labels', read: ({ trackers }) => somePages(trackers.labels(lantern, wanted())) },
		{ name: 'tickets', read: ({ trackers }) => somePages(trackers.tickets(lantern, wanted())) },
		{ name: 'a ticket', read: ({ trackers }) => trackers.ticket(ticket, wanted()) },
		{ name: 'events', read: ({ trackers }) => somePages(trackers.events(ticket, wanted())) },
		{ name: 'a ticket with its timeline', read: ({ trackers }) => trackers.inBulk?.ticket(ticket, wanted()) },
		{
			// Servers may omit timelines; the port reports that.
			name: 'tickets in bulk',
			read: async ({ trackers }) =>
				trackers.inBulk &&
				(await somePages(trackers.inBulk.pages(lantern, undefined, wanted()))).map((page) => ({
					...page,
					items: page.items.map(({ ticket: each }) => each),
				})),
		},
		{
			name: 'times of tickets',
			read: ({ trackers }) => trackers.inBulk?.changedMs(lantern, [1, 2, 3], wanted()),
		},
		{
			name: 'a subscription to a ticket',
			read: ({ trackers }) => trackers.subscriptions?.isSubscribed({ kind: 'ticket', ref: ticket }, wanted()),
		},
		{
			name: 'a subscription to a tracker',
			read: ({ trackers }) => trackers.subscriptions?.isSubscribed({ kind: 'tracker', ref: lantern }, wanted()),
		},
		{
			name: 'tickets from number 60 on',
			read: ({ trackers: { ticketsOn } }) =>
				ticketsOn.kind === 'fromNumber' ? somePages(ticketsOn.read(lantern, 60, wanted())) : undefined,
		},
		{ name: 'lists', read: ({ lists }) => somePages(lists.lists(undefined, wanted())) },
		{ name: 'lists of another', read: ({ lists }) => somePages(lists.lists('~bob', wanted())) },
		{ name: 'a list', read: ({ lists }) => lists.list(devel, wanted()) },
		{ name: 'threads', read: ({ lists }) => somePages(lists.posts(devel, wanted())) },
		{ name: 'mails', read: ({ lists }) => lists.mails && somePages(lists.mails(devel, wanted())) },
		{ name: 'mails found', read: ({ lists }) => lists.search && somePages(lists.search(devel, 'lamp', wanted())) },
		{ name: 'mails of a person', read: ({ lists }) => lists.emailsOf && somePages(lists.emailsOf('~bob', wanted())) },
		{ name: 'a mail', read: ({ lists }) => lists.email(mail.id, wanted()) },
		{ name: 'a thread', read: ({ lists }) => lists.thread(mail.id, wanted()) },
		{
			name: 'an archive',
			read: ({ lists }) =>
				lists.archive &&
				allOf(lists.archive(devel, { sinceDays: undefined, mostBytes: 16_000_000 }, wanted())).then((pieces) =>
					pieces.flatMap(({ mails }) => mails),
				),
			isUnproven: true,
		},
		{ name: 'patchsets', read: ({ lists }) => somePages(lists.patchsets(devel, wanted())) },
		{ name: 'a patchset', read: ({ lists }) => lists.patchset(one, wanted()) },
		{ name: 'patches', read: ({ lists }) => somePages(lists.patches(one, wanted())) },
		{ name: 'subscriptions', read: ({ lists }) => somePages(lists.subscriptions([], wanted())) },
		{ name: 'a subscription', read: ({ lists }) => lists.subscription?.(subscription.id, wanted()) },
		{ name: 'repositories', read: ({ repositories }) => somePages(repositories.repositories(undefined, wanted())) },
		{
			name: 'repositories of another',
			read: ({ repositories }) => somePages(repositories.repositories('~bob', wanted())),
		},
		{ name: 'a repository', read: ({ repositories }) => repositories.repository(lantern, wanted()) },
		{ name: 'references', read: ({ repositories }) => somePages(repositories.references(lantern, wanted())) },
		{
			name: 'references without files',
			read: ({ repositories }) => repositories.targets && somePages(repositories.targets(lantern, wanted())),
		},
		{
			name: 'repositories found',
			read: ({ repositories }) => repositories.search && somePages(repositories.search('~alice', 'lan', wanted())),
		},
		{ name: 'commits', read: ({ repositories }) => somePages(repositories.log(lantern, undefined, wanted())) },
		{
			name: 'commits of a branch',
			read: ({ repositories }) => somePages(repositories.log(lantern, 'master', wanted())),
		},
		{ name: 'the root folder', read: ({ repositories }) => repositories.tree(lantern, undefined, wanted()) },
		{
			name: 'a folder by path',
			read: ({ repositories }) => repositories.tree(lantern, { ref: 'master', path: folder.name }, wanted()),
		},
		{ name: 'a folder by id', read: ({ repositories }) => repositories.treeById(lantern, treeId, wanted()) },
		{ name: 'entries', read: ({ repositories }) => repositories.entriesAt?.(lantern, [at], wanted()) },
		{ name: 'a file', read: ({ repositories }) => repositories.blob(lantern, at, wanted()), isUnproven: true },
		{
			name: 'a file by a part of its id',
			read: ({ repositories }) => repositories.blobByShortId?.(lantern, blob.id.slice(0, 10), wanted()),
			isUnproven: true,
		},
		{
			name: 'a file in pieces',
			read: ({ repositories }) =>
				repositories.blobStream &&
				allOf(repositories.blobStream(lantern, { ...at, ref: newest.id }, 1_000_000, wanted())).then((pieces) =>
					Buffer.concat(pieces).toString('latin1'),
				),
			isUnproven: true,
		},
		{
			name: 'a file by id',
			read: ({ repositories }) => repositories.blobById({ ref: lantern, id: blob.id, at }, wanted()),
		},
		{ name: 'the default branch', read: ({ repositories }) => repositories.defaultBranch?.(lantern, wanted()) },
		{ name: 'a revision', read: ({ repositories }) => repositories.lookup?.(lantern, 'master', wanted()) },
		{ name: 'projects', read: ({ projects }) => projects?.projectsOf('~alice', wanted()) },
		...webhookFamilies.map((family): Reading => {
			const name = family.kind === 'user' ? `webhooks of ${family.area}` : `webhooks of a ${family.kind}`;
			return { name, read: ({ webhooks }) => somePages(webhooks.webhooks(family, wanted())) };
		}),
	];
}

async function countOf<T>(pages: Pages<T>, isIt: (item: T) => boolean): Promise<number> {
	return (await allItems(pages)).filter(isIt).length;
}

/** Throws unless a ticket's outcome is a success. */
async function sent(outcome: Promise<TicketOutcome>): Promise<void> {
	const ended = await outcome;
	if (ended.kind === 'partly' || ended.kind === 'refused' || ended.kind === 'lost') {
		throw ended.error;
	}
}

async function newTicket(trackers: Forge['trackers'], title: string): Promise<TicketRef> {
	const { id } = await trackers.submit(lantern, { title, description: '' }, wanted());
	return { tracker: lantern, id };
}

/** One write per changing row of the API, and those of a single protocol. */
export const writings: readonly Writing[] = [
	{
		name: 'create a tracker',
		prepare: async ({ trackers }, mark) => ({
			write: (through) => through.trackers.create({ name: mark }, wanted()),
			effects: () => countOf(trackers.trackers(undefined, wanted()), ({ name }) => name === mark),
		}),
	},
	{
		name: 'describe a tracker',
		prepare: async ({ trackers }, mark) => ({
			write: (through) => through.trackers.update(lantern, mark, wanted()),
			effects: async () => Number((await trackers.tracker(lantern, wanted())).description === mark),
		}),
	},
	{
		name: 'delete a tracker',
		prepare: async ({ trackers }, mark) => {
			await trackers.create({ name: mark }, wanted());
			return {
				write: (through) => through.trackers.remove({ owner: '~alice', name: mark }, wanted()),
				effects: async () => 1 - (await countOf(trackers.trackers(undefined, wanted()), ({ name }) => name === mark)),
			};
		},
	},
	{
		name: 'submit a ticket',
		prepare: async ({ trackers }, mark) => ({
			write: (through) => through.trackers.submit(lantern, { title: mark, description: '' }, wanted()),
			effects: () => countOf(trackers.tickets(lantern, wanted()), ({ title }) => title === mark),
		}),
	},
	{
		name: 'comment',
		prepare: async ({ trackers }, mark) => ({
			write: (through) => sent(through.trackers.updateTicket(ticket, { comment: mark }, wanted())),
			effects: () => countOf(trackers.events(ticket, wanted()), ({ comment }) => comment?.text === mark),
		}),
	},
	{
		name: 'resolve a ticket',
		prepare: async ({ trackers }, mark) => {
			const { id } = await trackers.submit(lantern, { title: mark, description: '' }, wanted());
			const ref = { tracker: lantern, id };
			return {
				write: (through) =>
					sent(through.trackers.updateTicket(ref, { move: { kind: 'resolve', resolution: 'fixed' } }, wanted())),
				effects: () => countOf(trackers.events(ref, wanted()), (event) => event.kinds.includes('status_change')),
			};
		},
	},
	{
		name: 'label a ticket',
		prepare: async ({ trackers }, mark) => {
			const { id } = await trackers.submit(lantern, { title: mark, description: '' }, wanted());
			const [label] = await allItems(trackers.labels(lantern, wanted()));
			const ref = { tracker: lantern, id };
			return (
				label && {
					write: (through) =>
						sent(through.trackers.updateTicket(ref, { labels: { add: [label.name], remove: [] } }, wanted())),
					effects: async () => (await trackers.ticket(ref, wanted())).labels.length,
				}
			);
		},
	},
	{
		name: 'assign a ticket',
		prepare: async ({ trackers }, mark) => {
			if (!trackers.assign) {
				return undefined;
			}
			const { id } = await trackers.submit(lantern, { title: mark, description: '' }, wanted());
			const ref = { tracker: lantern, id };
			return {
				write: async (through) => {
					const assigned = through.trackers.assign?.(ref, { add: ['~bob'], remove: [] }, wanted());
					return assigned && sent(assigned);
				},
				effects: async () => (await trackers.ticket(ref, wanted())).assignees.length,
			};
		},
	},
	{
		name: 'create a list',
		prepare: async ({ lists }, mark) => ({
			write: (through) => through.lists.create({ name: mark }, wanted()),
			effects: () => countOf(lists.lists(undefined, wanted()), ({ name }) => name === mark),
		}),
	},
	{
		name: 'describe a list',
		prepare: async ({ lists }, mark) => ({
			write: (through) => through.lists.update(devel, mark, wanted()),
			effects: async () => Number((await lists.list(devel, wanted())).description === mark),
		}),
	},
	{
		name: 'set a patchset’s status',
		prepare: async ({ lists }) => {
			const [patchset] = await allItems(lists.patchsets(devel, wanted()));
			if (!patchset) {
				return undefined;
			}
			const ref = { list: devel, id: patchset.id };
			const status = patchset.status === 'approved' ? 'rejected' : 'approved';
			return {
				write: (through) => through.lists.setPatchsetStatus(ref, status, wanted()),
				effects: async () => Number((await lists.patchset(ref, wanted())).status === status),
			};
		},
	},
	{
		name: 'subscribe to a list',
		prepare: async ({ lists }, mark) => {
			const { owner, name } = await lists.create({ name: mark }, wanted());
			const ref = { owner: owner.canonicalName, name };
			const isIt = ({ list }: { readonly list: { readonly name: string } }): boolean => list.name === mark;
			for (const subscription of (await allItems(lists.subscriptions([], wanted()))).filter(isIt)) {
				await lists.unsubscribe(subscription, wanted());
			}
			return {
				write: (through) => through.lists.subscribe(ref, wanted()),
				effects: () => countOf(lists.subscriptions([], wanted()), isIt),
			};
		},
	},
	{
		name: 'create a repository',
		prepare: async ({ repositories }, mark) => ({
			write: (through) => through.repositories.create({ name: mark }, wanted()),
			effects: () => countOf(repositories.repositories(undefined, wanted()), ({ name }) => name === mark),
		}),
	},
	{
		name: 'describe a repository',
		prepare: async ({ repositories }, mark) => ({
			write: (through) => through.repositories.update(lantern, { description: mark }, wanted()),
			effects: async () => Number((await repositories.repository(lantern, wanted())).description === mark),
		}),
	},
	{
		name: 'delete a repository',
		prepare: async ({ repositories }, mark) => {
			await repositories.create({ name: mark }, wanted());
			return {
				write: (through) => through.repositories.remove({ owner: '~alice', name: mark }, wanted()),
				effects: async () =>
					1 - (await countOf(repositories.repositories(undefined, wanted()), ({ name }) => name === mark)),
			};
		},
	},
	{
		name: 'make a label',
		prepare: async ({ trackers }, mark) =>
			trackers.labelMaking && {
				write: async (through) => through.trackers.labelMaking?.create(lantern, { name: mark, colors }, wanted()),
				effects: () => countOf(trackers.labels(lantern, wanted()), ({ name }) => name === mark),
			},
	},
	{
		name: 'comment and resolve',
		prepare: async ({ trackers }, mark) => {
			const ref = await newTicket(trackers, mark);
			return {
				write: (through) =>
					sent(
						through.trackers.updateTicket(
							ref,
							{ comment: mark, move: { kind: 'resolve', resolution: 'fixed' } },
							wanted(),
						),
					),
				effects: () => countOf(trackers.events(ref, wanted()), (event) => event.comment?.text === mark),
			};
		},
	},
	{
		name: 'reopen a ticket',
		prepare: async ({ trackers }, mark) => {
			const ref = await newTicket(trackers, mark);
			await sent(trackers.updateTicket(ref, { move: { kind: 'resolve', resolution: 'fixed' } }, wanted()));
			return {
				write: (through) => sent(through.trackers.updateTicket(ref, { move: { kind: 'reopen' } }, wanted())),
				effects: async () => Number((await trackers.ticket(ref, wanted())).status === 'reported'),
			};
		},
	},
	{
		name: 'take a label from a ticket',
		prepare: async ({ trackers }, mark) => {
			const ref = await newTicket(trackers, mark);
			const [label] = await allItems(trackers.labels(lantern, wanted()));
			const names = label ? [label.name] : [];
			await sent(trackers.updateTicket(ref, { labels: { add: names, remove: [] } }, wanted()));
			return {
				write: (through) => sent(through.trackers.updateTicket(ref, { labels: { add: [], remove: names } }, wanted())),
				effects: async () => names.length - (await trackers.ticket(ref, wanted())).labels.length,
			};
		},
	},
	{
		name: 'edit a comment',
		mayBeMissing: true,
		prepare: async ({ trackers }, mark) => {
			const ref = await newTicket(trackers, mark);
			await sent(trackers.updateTicket(ref, { comment: 'before' }, wanted()));
			const comment = (await allItems(trackers.events(ref, wanted()))).flatMap((event) => event.comment ?? [])[0];
			return (
				trackers.editComment &&
				comment && {
					write: async (through) => through.trackers.editComment?.(ref, comment, mark, wanted()),
					effects: () => countOf(trackers.events(ref, wanted()), (event) => event.comment?.text === mark),
				}
			);
		},
	},
	{
		name: 'edit a ticket',
		prepare: async ({ trackers }, mark) => {
			const ref = trackers.edit && (await newTicket(trackers, 'before'));
			return (
				ref && {
					write: async (through) => through.trackers.edit?.(ref, { title: mark }, wanted()),
					effects: async () => Number((await trackers.ticket(ref, wanted())).title === mark),
				}
			);
		},
	},
	{
		name: 'delete a ticket',
		prepare: async ({ trackers }, mark) => {
			const ref = trackers.removeTicket && (await newTicket(trackers, mark));
			return (
				ref && {
					write: async (through) => through.trackers.removeTicket?.(ref, wanted()),
					effects: async () => 1 - (await countOf(trackers.tickets(lantern, wanted()), ({ title }) => title === mark)),
				}
			);
		},
	},
	{
		name: 'get mails about a ticket',
		prepare: async ({ trackers }, mark) => {
			const ref = trackers.subscriptions && (await newTicket(trackers, mark));
			const to = ref && ({ kind: 'ticket', ref } as const);
			await (to && trackers.subscriptions?.setSubscribed(to, false, wanted()));
			return (
				to && {
					write: async (through) => through.trackers.subscriptions?.setSubscribed(to, true, wanted()),
					effects: async () => Number(await trackers.subscriptions?.isSubscribed(to, wanted())),
				}
			);
		},
	},
	{
		name: 'get no mails about a tracker',
		prepare: async ({ trackers }, mark) => {
			if (!trackers.subscriptions) {
				return undefined;
			}
			await trackers.create({ name: mark }, wanted());
			const to = { kind: 'tracker', ref: { owner: '~alice', name: mark } } as const;
			return {
				write: async (through) => through.trackers.subscriptions?.setSubscribed(to, false, wanted()),
				effects: async () => 1 - Number(await trackers.subscriptions?.isSubscribed(to, wanted())),
			};
		},
	},
	{
		name: 'rename a label',
		prepare: async ({ trackers }, mark) => {
			await trackers.labelMaking?.create(lantern, { name: `${mark}-old`, colors }, wanted());
			return (
				trackers.labelMaking && {
					write: async (through) =>
						through.trackers.labelMaking?.change(lantern, `${mark}-old`, { name: mark }, wanted()),
					effects: () => countOf(trackers.labels(lantern, wanted()), ({ name }) => name === mark),
				}
			);
		},
	},
	{
		name: 'delete a label',
		prepare: async ({ trackers }, mark) => {
			await trackers.labelMaking?.create(lantern, { name: mark, colors }, wanted());
			return (
				trackers.labelMaking && {
					write: async (through) => through.trackers.labelMaking?.remove(lantern, mark, wanted()),
					effects: async () => 1 - (await countOf(trackers.labels(lantern, wanted()), ({ name }) => name === mark)),
				}
			);
		},
	},
	{
		name: 'delete a list',
		prepare: async ({ lists }, mark) => {
			await lists.create({ name: mark }, wanted());
			return (
				lists.remove && {
					write: async (through) => through.lists.remove?.({ owner: '~alice', name: mark }, wanted()),
					effects: async () => 1 - (await countOf(lists.lists(undefined, wanted()), ({ name }) => name === mark)),
				}
			);
		},
	},
	{
		name: 'unsubscribe from a list',
		prepare: async ({ lists }, mark) => {
			await lists.create({ name: mark }, wanted());
			const isIt = ({ list }: { readonly list: { readonly name: string } }): boolean => list.name === mark;
			const mine = (await allItems(lists.subscriptions([], wanted()))).find(isIt);
			return (
				mine && {
					write: (through) => through.lists.unsubscribe(mine, wanted()),
					effects: async () => 1 - (await countOf(lists.subscriptions([], wanted()), isIt)),
				}
			);
		},
	},
	{
		name: 'rename a repository',
		prepare: async ({ repositories }, mark) => {
			await repositories.create({ name: `${mark}-old` }, wanted());
			return {
				write: (through) =>
					through.repositories.update({ owner: '~alice', name: `${mark}-old` }, { name: mark }, wanted()),
				effects: () => countOf(repositories.repositories(undefined, wanted()), ({ name }) => name === mark),
			};
		},
	},
	{
		name: 'hide a repository',
		prepare: async ({ repositories }, mark) => {
			const ref = { owner: '~alice', name: mark };
			await repositories.create({ name: mark }, wanted());
			return {
				write: (through) => through.repositories.update(ref, { visibility: 'private' }, wanted()),
				effects: async () => Number((await repositories.repository(ref, wanted())).visibility === 'private'),
			};
		},
	},
	{
		name: 'set the default branch',
		prepare: async ({ repositories }) => {
			const now = repositories.setDefaultBranch && (await repositories.defaultBranch?.(lantern, wanted()));
			const branches = (await allItems(repositories.references(lantern, wanted()))).flatMap(
				({ name }) => /^refs\/heads\/(\w+)$/.exec(name)?.[1] ?? [],
			);
			const other = now === undefined ? undefined : branches.find((name) => name !== now);
			return other === undefined
				? undefined
				: {
						write: async (through) => through.repositories.setDefaultBranch?.(lantern, other, wanted()),
						// A separate client, because this one caches the branch.
						effects: async () => Number((await repositories.defaultBranch?.(lantern, wanted())) === other),
					};
		},
	},
	...webhookFamilies.map((family): Writing => ({
		name: `delete a webhook (${family.kind === 'user' ? family.area : family.kind})`,
		prepare: async ({ webhooks }, mark) => {
			const { all, doubtful } = webhooks.offers(family).events;
			const hook = { url: `${hookUrl}${mark}`, events: all.filter((event) => !doubtful.includes(event)) };
			const { id } = await webhooks.create(family, hook, wanted());
			return {
				write: (through) => through.webhooks.remove(family, id, wanted()),
				effects: async () => 1 - (await countOf(webhooks.webhooks(family, wanted()), (each) => each.id === id)),
			};
		},
	})),
	...webhookFamilies.map((family): Writing => ({
		name: `make a webhook (${family.kind === 'user' ? family.area : family.kind})`,
		prepare: async ({ webhooks }, mark) => {
			const { all, doubtful } = webhooks.offers(family).events;
			const hook = { url: `${hookUrl}${mark}`, events: all.filter((event) => !doubtful.includes(event)) };
			return {
				write: (through) => through.webhooks.create(family, hook, wanted()),
				effects: () => countOf(webhooks.webhooks(family, wanted()), ({ url }) => url === hook.url),
			};
		},
	})),
];
