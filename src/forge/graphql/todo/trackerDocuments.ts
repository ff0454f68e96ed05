import { cursorPage } from '../door/listed.ts';
import { mutation, pageOf, query } from '../door/operations.ts';
import { label, labelFields, tracker, trackerFields } from './todoAnswers.ts';

const reading = { area: 'todo', scope: 'trackers:read' } as const;
const writing = { area: 'todo', scope: 'trackers:write' } as const;
const inTracker = ['user(username: $owner): User', 'tracker(name: $name): Tracker'];

/** A user's trackers; `undefined` for a user that the service doesn't know. */
export const listTrackers = query(
	reading,
	[
		'Trackers($owner: String!, $cursor: Cursor)',
		'user(username: $owner): User',
		'trackers(cursor: $cursor): TrackerCursor',
	],
	pageOf('Tracker', trackerFields),
	cursorPage(tracker),
);

export const readTracker = query(
	reading,
	['Tracker($owner: String!, $name: String!)', ...inTracker],
	trackerFields,
	tracker,
);

export const createTracker = mutation(
	writing,
	'CreateTracker($name: String!, $description: String, $visibility: Visibility!)',
	'createTracker(name: $name, description: $description, visibility: $visibility): Tracker',
);

export const updateTracker = mutation(
	writing,
	'UpdateTracker($id: Int!, $input: TrackerInput!)',
	'updateTracker(id: $id, input: $input): Tracker',
);

export const deleteTracker = mutation(writing, 'DeleteTracker($id: Int!)', 'deleteTracker(id: $id): Tracker');

export const listLabels = query(
	reading,
	['Labels($owner: String!, $name: String!, $cursor: Cursor)', ...inTracker, 'labels(cursor: $cursor): LabelCursor'],
	pageOf('Label', labelFields),
	cursorPage(label),
);

export const createLabel = mutation(
	writing,
	'CreateLabel($trackerId: Int!, $name: String!, $text: String!, $background: String!)',
	'createLabel(trackerId: $trackerId, name: $name, foregroundColor: $text, backgroundColor: $background): Label',
);

export const updateLabel = mutation(
	writing,
	'UpdateLabel($id: Int!, $input: UpdateLabelInput!)',
	'updateLabel(id: $id, input: $input): Label',
);

export const deleteLabel = mutation(writing, 'DeleteLabel($id: Int!)', 'deleteLabel(id: $id): Label');

/** Finds a label by name; `undefined` if the tracker has none. */
export const findLabel = query(
	reading,
	['Label($owner: String!, $name: String!, $label: String!)', ...inTracker, 'label(name: $label): Label'],
	labelFields,
	label,
);
