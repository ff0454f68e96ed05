import type { Clock } from '@forge-desk/base/clock.ts';
import type { Forge } from 'sourcehut/port/forge.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { refOfList } from 'sourcehut/port/list.ts';
import type { TicketRef } from 'sourcehut/port/ticket.ts';
import type { TicketOutcome, TicketRequest } from 'sourcehut/port/ticketRequest.ts';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import type { RepositoryStore } from '../../../src/store/repositories/repositoryStore.ts';
import type { TicketStore } from '../../../src/store/tickets/ticketStore.ts';
import { ListStore } from '../../../src/store/lists/listStore.ts';
import { allItems } from '../../support/contractForge.ts';
import { keptNames } from '../../support/fakeConnection.ts';
import { fakeStore, type FakeRepositories } from '../../support/fakeRepositories.ts';
import { journalInMemory } from '../../support/journalInMemory.ts';
import { standFor } from '../../support/standFor.ts';
import { writeRig } from '../../support/writeRig.ts';

/** The outcome of a write is unknown, and the client reports it. */
export class Unclear extends ForgeError {}

/** The forge with the stores behind its writes. */
export interface ThroughStores extends Forge, Disposable {
	readonly stores: { readonly tickets: TicketStore; readonly lists: ListStore; readonly repositories: RepositoryStore };
}

/** A forge with writes through the stores of a new window; webhooks stay unchanged. */
export function throughStores(forge: Forge, clock: Clock): ThroughStores {
	const { trackers: api, lists: listApi, repositories: repositoryApi } = forge;
	const rig = writeRig(api, { clock });
	const { writes, store: tickets } = rig;
	const lists = new ListStore({ journal: journalInMemory(), api: listApi, me: '~alice', followed: keptNames() });
	const repositories = fakeStore(standFor<FakeRepositories>({ api: repositoryApi }));
	const looking = new AbortController();

	/** A matrix of faults needs the failure. Its next write must not wait behind this one. */
	function takenBack(error: ForgeError | undefined): ForgeError {
		for (const { id, progress } of rig.outbox.items()) {
			rig.outbox.hold(id)?.remove();
			if (progress.kind === 'sent' && error) {
				return new Unclear(error.problem);
			}
		}
		return error ?? new ForgeError({ kind: 'incomplete' });
	}

	async function write(ref: TicketRef, wish: TicketRequest, signal: AbortSignal): Promise<TicketOutcome> {
		const outcome = await writes.write(ref, wish, signal);
		switch (outcome.kind) {
			case 'done':
			case 'arrived':
				return { kind: 'needless', ticket: outcome.ticket };
			case 'missing':
				return { kind: 'refused', error: outcome.error, now: outcome.ticket };
			case 'unclear':
				throw new Unclear(outcome.error.problem);
			case 'queued':
				throw takenBack(outcome.error);
		}
	}

	return {
		...forge,
		stores: { tickets, lists, repositories },
		trackers: {
			...api,
			create: (tracker, signal) => writes.trackers.create(tracker, signal),
			async update(ref, description, signal) {
				await writes.trackers.describe(ref, description, signal);
				return undefined;
			},
			remove: (ref, signal) => writes.trackers.remove(ref, signal),
			async submit(tracker, ticket, signal) {
				const outcome = await writes.submit({ tracker, ticket, looking: looking.signal }, signal);
				switch (outcome.kind) {
					case 'submitted':
					case 'arrived':
						return outcome.ticket;
					case 'missing':
						throw outcome.error;
					case 'unclear':
						throw new Unclear(outcome.lost.error.problem);
					case 'queued':
						throw takenBack(outcome.error);
				}
			},
			updateTicket: write,
			...(api.assign && { assign: (ref, assignees, signal) => write(ref, { assignees }, signal) }),
			...(api.edit && {
				async edit(ref, change, signal) {
					await writes.editTicket?.(ref, change, signal);
					return api.ticket(ref, signal);
				},
			}),
			...(api.removeTicket && { removeTicket: async (ref, signal) => writes.removeTicket?.(ref, signal) }),
			...(api.editComment && {
				async editComment(ref, comment, text, signal) {
					const event = (await allItems(api.events(ref, signal))).find((each) => each.comment?.id === comment.id);
					await (event && writes.editComment?.({ ref, event, comment, text }, signal));
					return comment;
				},
			}),
			...(api.subscriptions && {
				subscriptions: {
					...api.subscriptions,
					setSubscribed: async (to, isWanted, signal) => writes.subscriptions?.set(to, isWanted, signal),
				},
			}),
			...(api.labelMaking && {
				labelMaking: {
					async create(ref, label, signal) {
						await writes.labels?.create(ref, label, signal);
						return { ...label, createdMs: 0 };
					},
					async change(ref, name, change, signal) {
						await writes.labels?.change(ref, name, change, signal);
						return { name, colors: { background: '', text: '' }, createdMs: 0 };
					},
					remove: async (ref, name, signal) => writes.labels?.remove(ref, name, signal),
				},
			}),
		},
		lists: {
			...listApi,
			create: (list, signal) => lists.writes.create(list, signal),
			update: (ref, description, signal) => lists.writes.describe(ref, description, signal),
			...(listApi.remove && {
				async remove(ref, signal) {
					if ((await lists.writes.remove?.(ref, signal)) === false) {
						throw new ForgeError({ kind: 'notOffered' });
					}
				},
			}),
			async setPatchsetStatus(ref, status, signal) {
				return (await lists.setStatus(ref, status, signal)).patchset;
			},
			subscribe: (ref, signal) => lists.subscribe(ref, signal),
			unsubscribe: ({ list }, signal) => lists.unsubscribe(refOfList(list), signal),
		},
		repositories: {
			...repositoryApi,
			async create(wanted, signal) {
				return repositoryApi.repository(await repositories.writes.create(wanted, signal), signal);
			},
			async update(ref, changes, signal) {
				return (await repositories.writes.change(ref, changes, signal)).repository;
			},
			remove: (ref, signal) => repositories.writes.remove(ref, signal),
			setDefaultBranch: async (ref, branch, signal) => repositories.writes.setDefaultBranch?.(ref, branch, signal),
		},
		dispose() {
			looking.abort();
			rig.dispose();
			lists.dispose();
			repositories.dispose();
		},
	};
}
