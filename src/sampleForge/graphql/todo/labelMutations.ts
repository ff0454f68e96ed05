import type { Label, Tracker } from '../../tickets/ticketModel.ts';
import { findTracker } from './found.ts';
import { invalid, nothingFound, refuseAccess } from '../refusals.ts';
import { type Asking, showLabel } from './todoShapes.ts';

interface NewLabel {
	readonly trackerId: number;
	readonly name: string;
	readonly foregroundColor: string;
	readonly backgroundColor: string;
}

interface LabelInput {
	readonly name?: string | null;
	readonly foregroundColor?: string | null;
	readonly backgroundColor?: string | null;
}

interface FoundLabel {
	readonly tracker: Tracker;
	readonly label: Label;
}

/** Mutations of labels; `afterFailure` as with trackers. */
export function labelMutations(asking: Asking, afterFailure: boolean): object {
	const { room, user, age } = asking;
	const { store, context, hooks } = room;
	return {
		createLabel({ trackerId, name, foregroundColor, backgroundColor }: NewLabel) {
			checkColour(foregroundColor);
			checkColour(backgroundColor);
			if (name === '') {
				throw invalid('Label name must be greater than zero in length');
			}
			const tracker = findTracker(asking, trackerId);
			if (tracker === undefined) {
				throw nothingFound(age, `No tracker by ID ${trackerId} found for this user`);
			}
			if (tracker.owner !== user) {
				throw refuseAccess(age);
			}
			checkName(tracker, name);
			const colours = { name, background: backgroundColor, text: foregroundColor };
			const label = store.addLabel(tracker, colours, context.nowMs());
			hooks.label('label:create', tracker, label);
			return showLabel(asking, tracker, label);
		},
		updateLabel({ id, input }: { readonly id: number; readonly input: LabelInput }) {
			if (afterFailure && age === '2026') {
				return null;
			}
			const name = input.name ?? undefined;
			const text = input.foregroundColor ?? undefined;
			const background = input.backgroundColor ?? undefined;
			checkColour(text, 'foregroundColor');
			checkColour(background, 'backgroundColor');
			if (name === '') {
				throw invalid('Name cannot be empty', 'name');
			}
			const { tracker, label } = ownLabel(asking, id);
			if (name !== undefined) {
				checkName(tracker, name);
			}
			store.changeLabel(label, {
				...(name === undefined ? {} : { name }),
				...(text === undefined ? {} : { text }),
				...(background === undefined ? {} : { background }),
			});
			hooks.label('label:update', tracker, label);
			return showLabel(asking, tracker, label);
		},
		deleteLabel({ id }: { readonly id: number }) {
			const { tracker, label } = ownLabel(asking, id);
			store.removeLabel(tracker, label);
			hooks.label('label:delete', tracker, label);
			return showLabel(asking, tracker, label);
		},
	};
}

function ownLabel({ room, user, age }: Asking, id: number): FoundLabel {
	for (const tracker of room.store.trackers.filter(({ owner }) => owner === user)) {
		const label = tracker.labels.find((each) => each.id === id);
		if (label !== undefined) {
			return { tracker, label };
		}
	}
	throw nothingFound(age, 'No such label');
}

/** Label names of a tracker are unique, ignoring case. */
function checkName({ labels }: Tracker, name: string): void {
	if (labels.some((label) => label.name.toLowerCase() === name.toLowerCase())) {
		throw invalid('A label by this name already exists', 'name');
	}
}

function checkColour(colour: string | undefined, field?: string): void {
	if (colour !== undefined && !/^#[0-9a-f]{6}$/i.test(colour)) {
		throw invalid(`Invalid color ${colour}`, field);
	}
}
