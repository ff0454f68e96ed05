import type { ApiCall, Answer, Route } from '../shared/area.ts';
import { api, findOwned } from '../shared/area.ts';
import { crash, invalid, json, list, noContent, notFound } from '../shared/answers.ts';
import { validate } from '../shared/body.ts';
import { findUser } from '../identity/users.ts';
import type { MailingList } from './mailModel.ts';
import type { MailRoom } from './mailRoom.ts';

/** The caller's own subscriptions (docs/protocol.md#subscriptions). */
export function subscriptionRoutes(room: MailRoom): readonly Route[] {
	const { context, store, access, shapes, hooks } = room;
	return [
		api('GET', '/api/subscriptions', 'subs:read', (call) => {
			const rows = store.subscriptions.filter((each) => each.user === call.user).toReversed();
			return list(context.dialect, call, { rows, id: (row) => row.id, show: shapes.subscription });
		}),
		api('POST', '/api/subscriptions', 'subs:write', (call) => subscribe(room, call)),
		api('GET', '/api/subscriptions/:subscription', 'subs:read', (call) =>
			json(200, shapes.subscription(access.subscription(call))),
		),
		api('DELETE', '/api/subscriptions/:subscription', 'subs:write', (call) => {
			const found = access.subscription(call);
			store.unsubscribe(found);
			hooks.unsubscribed(found);
			return noContent();
		}),
	];
}

function subscribe(room: MailRoom, call: ApiCall): Answer {
	const { context, store, access, shapes, hooks } = room;
	const sent = validate(context.dialect, call.body);
	const name = sent.text('list', { required: true });
	sent.done();
	const wanted = findNamed(room, name ?? '');
	if (!access.held(wanted, call.user).has('browse')) {
		throw invalid('You are not allowed to subscribe to this list.', 'list', 403);
	}
	const made = store.subscribe(call.user, wanted, context.nowMs());
	if (made === undefined) {
		throw invalid('You are already subscribed to this list.', 'list');
	}
	hooks.subscribed(made);
	return json(201, shapes.subscription(made));
}

/** `~owner/name`; an e-mail address may replace the owner. */
function findNamed({ context, store }: MailRoom, text: string): MailingList {
	const malformed = invalid('Invalid list name specified - expected owner/list-name', 'list');
	const [ownerName = '', name, ...more] = text.split('/');
	if (name === undefined) {
		throw malformed;
	}
	if (more.length > 0) {
		throw crash(context.dialect, malformed);
	}
	const owner = findUser(context, 'lists', ownerName);
	const found = findOwned(store.lists, owner, name);
	if (found === undefined) {
		throw notFound();
	}
	return found;
}
