import type { ApiCall, Answer, Method, Route } from '../shared/area.ts';
import { api, bothForms, isTaken } from '../shared/area.ts';
import { json, list, noContent } from '../shared/answers.ts';
import { validate } from '../shared/body.ts';
import { ownerOf } from '../identity/users.ts';
import type { TicketRoom } from './ticketRoom.ts';
import { trackerTarget } from './ticketHooks.ts';

type Handler = (room: TicketRoom, call: ApiCall) => Answer;

/** Trackers and their labels (docs/protocol.md#tracker-fields, docs/protocol.md#labels). */
export function trackerRoutes(room: TicketRoom): readonly Route[] {
	const forms = (method: Method, rest: string, access: 'read' | 'write', handle: Handler): readonly Route[] =>
		bothForms(method, `/trackers${rest}`, `trackers:${access}`, (call) => handle(room, call));
	return [
		...forms('GET', '', 'read', listTrackers),
		api('POST', '/api/trackers', 'trackers:write', (call) => addTracker(room, call)),
		...forms('GET', '/:tracker', 'read', getTracker),
		...forms('PUT', '/:tracker', 'write', putTracker),
		...forms('DELETE', '/:tracker', 'write', deleteTracker),
		...forms('GET', '/:tracker/labels', 'read', listLabels),
	];
}

const listTrackers: Handler = ({ context, store, shapes }, call) => {
	const owner = ownerOf(context, call);
	const rows = store.trackers
		.filter((tracker) => tracker.owner === owner && (owner === call.user || tracker.permissions.user.length > 0))
		.toReversed();
	return list(context.dialect, call, { rows, id: (row) => row.id, show: shapes.tracker });
};

const addTracker: Handler = ({ context, store, shapes, hooks }, call) => {
	const sent = validate(context.dialect, call.body);
	const name = sent.text('name', { label: 'Name', required: true }) ?? '';
	const description = sent.text('description');
	if (name !== '') {
		sent.expect(/^[A-Za-z][A-Za-z0-9._-]*$/.test(name), 'Only alphanumeric characters or <samp>._-</samp>', 'name');
		sent.expect(name.length <= 255, 'Must be between 1 and 255 characters', 'name');
	}
	sent.expect((description?.length ?? 0) < 4096, 'Must be less than 4096 characters', 'description');
	sent.expect(!isTaken(store.trackers, call.user, name), 'A tracker by this name already exists', 'name');
	sent.done();
	const tracker = store.addTracker(call.user, name, description ?? null, context.nowMs());
	hooks.tracker('tracker:create', tracker);
	return json(201, shapes.tracker(tracker));
};

const getTracker: Handler = ({ access, shapes }, call) => json(200, shapes.tracker(access.tracker(call)));

const putTracker: Handler = ({ context, store, access, shapes, hooks }, call) => {
	const tracker = access.ownTracker(call);
	const sent = validate(context.dialect, call.body);
	const description = sent.text('description');
	sent.expect((description?.length ?? 0) < 4096, 'Must be less than 4096 characters', 'description');
	sent.done();
	if (description !== undefined) {
		store.changeTracker(tracker, { description }, context.nowMs());
		hooks.tracker('tracker:update', tracker);
	}
	return json(200, shapes.tracker(tracker));
};

const deleteTracker: Handler = ({ context, store, access, hooks }, call) => {
	const tracker = access.ownTracker(call);
	store.removeTracker(tracker);
	hooks.tracker('tracker:delete', tracker);
	context.webhooks.drop('todoTracker', trackerTarget(tracker));
	return noContent();
};

const listLabels: Handler = ({ context, access, shapes }, call) => {
	const tracker = access.tracker(call, 'browse');
	const rows = tracker.labels.toReversed();
	return list(context.dialect, call, { rows, id: (row) => row.id, show: (row) => shapes.label(tracker, row) });
};
