import type { LabelMaking, RepositoryApi, TicketMails, TrackerApi } from 'sourcehut/port/forge.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { Subscribable } from 'sourcehut/port/subscribable.ts';
import { ticketRefText } from 'sourcehut/port/ticket.ts';
import type { Label, TrackerRef } from 'sourcehut/port/tracker.ts';
import type { FakeTrackers } from '../../../../support/fakeForge.ts';
import { makeRepository, type FakeRepositories } from '../../../../support/fakeRepositories.ts';
import { makeLabel, makeTracker } from '../../../../support/makeTicket.ts';

function taken(): never {
	throw new ForgeError({ kind: 'invalid', errors: [{ field: 'name', reason: 'This name is already in use.' }] });
}

function at<T>(items: readonly T[], isMeant: (item: T) => boolean): number {
	const found = items.findIndex(isMeant);
	if (found === -1) {
		throw new ForgeError({ kind: 'notFound' });
	}
	return found;
}

/** Trackers, labels and ticket subscriptions with creation, changes and removal. Names are unique. */
export function withMaking({ world }: Pick<FakeTrackers, 'world'>): Pick<TrackerApi, 'create' | 'update' | 'remove'> & {
	readonly labelMaking: LabelMaking;
	readonly subscriptions: TicketMails;
} {
	const subscribed = new Set<string>();
	const keyOf = (to: Subscribable): string => (to.kind === 'tracker' ? refText(to.ref) : ticketRefText(to.ref));
	const labelsOf = (ref: TrackerRef): Label[] => {
		const labels = world.labels.get(refText(ref)) ?? [];
		world.labels.set(refText(ref), labels);
		return labels;
	};
	return {
		async create(wanted) {
			await world.before(`create ${wanted.name}`);
			if (world.trackers.some(({ name }) => name === wanted.name)) {
				taken();
			}
			const { name, description } = wanted;
			const tracker = makeTracker({ id: world.trackers.length + 1, name, description });
			world.trackers.push(tracker);
			return tracker;
		},
		async update(ref, description) {
			await world.before(`update ${refText(ref)}`);
			const where = at(world.trackers, ({ name }) => name === ref.name);
			const tracker = makeTracker({ ...world.trackers[where], description });
			world.trackers[where] = tracker;
			return tracker;
		},
		async remove(ref) {
			await world.before(`remove ${refText(ref)}`);
			world.trackers.splice(
				at(world.trackers, ({ name }) => name === ref.name),
				1,
			);
		},
		labelMaking: {
			async create(ref, label) {
				await world.before(`create label ${label.name}`);
				const labels = labelsOf(ref);
				if (labels.some(({ name }) => name === label.name)) {
					taken();
				}
				const made = makeLabel(label.name, label.colors.background, label.colors.text);
				labels.push(made);
				return made;
			},
			async change(ref, name, change) {
				await world.before(`change label ${name}`);
				const labels = labelsOf(ref);
				const where = at(labels, (label) => label.name === name);
				const label: Label = { ...(labels[where] ?? makeLabel(name)), ...change };
				labels[where] = label;
				return label;
			},
			async remove(ref, name) {
				await world.before(`remove label ${name}`);
				const labels = labelsOf(ref);
				labels.splice(
					at(labels, (label) => label.name === name),
					1,
				);
			},
		},
		subscriptions: {
			async isSubscribed(to) {
				await world.before(`subscription ${keyOf(to)}`);
				return subscribed.has(keyOf(to));
			},
			async setSubscribed(to, isWanted) {
				await world.before(`subscribe ${keyOf(to)}`);
				world.calls.push(`subscribe ${keyOf(to)}`);
				void (isWanted ? subscribed.add(keyOf(to)) : subscribed.delete(keyOf(to)));
			},
		},
	};
}

/** Repositories with creation, changes and removal. Names are unique. */
export function withRepositoryMaking({
	world,
}: Pick<FakeRepositories, 'world'>): Pick<RepositoryApi, 'create' | 'update' | 'remove' | 'setDefaultBranch'> {
	const of = (ref: { readonly name: string }): number => at(world.repositories, ({ name }) => name === ref.name);
	return {
		async create(wanted) {
			await world.before(`create ${wanted.name}`);
			if (world.repositories.some(({ name }) => name === wanted.name)) {
				taken();
			}
			const repository = makeRepository(wanted.name, { id: world.repositories.length + 1 });
			world.repositories.push(repository);
			return repository;
		},
		async update(ref, { name, description, visibility }) {
			await world.before(`update ${refText(ref)}`);
			const where = of(ref);
			const before = world.repositories[where] ?? makeRepository(ref.name);
			const after = {
				...before,
				name: name ?? before.name,
				description: description ?? before.description,
				visibility: visibility ?? before.visibility,
			};
			world.repositories[where] = after;
			return after;
		},
		async remove(ref) {
			await world.before(`remove ${refText(ref)}`);
			world.repositories.splice(of(ref), 1);
		},
		async setDefaultBranch(ref, branch) {
			await world.before(`branch ${refText(ref)} ${branch}`);
			world.heads.set(refText(ref), branch);
		},
	};
}
