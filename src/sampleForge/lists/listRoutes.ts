import type { ApiCall, Answer, Route } from '../shared/area.ts';
import { api, bothForms } from '../shared/area.ts';
import { crash, invalid, json, list, noContent } from '../shared/answers.ts';
import { validate, type Validation } from '../shared/body.ts';
import { ownerOf } from '../identity/users.ts';
import type { MailRoom } from './mailRoom.ts';

/** Mailing lists. Writing exists in the implied form only (docs/protocol.md#routes-beyond-the-contract). */
export function listRoutes(room: MailRoom): readonly Route[] {
	const { access, shapes } = room;
	return [
		...bothForms('GET', ['/api/user/:username/lists', '/api/lists'], 'lists:read', (call) => showLists(room, call)),
		api('POST', '/api/lists', 'lists:write', (call) => addList(room, call)),
		...bothForms('GET', ['/api/user/:username/lists/:list', '/api/lists/:list'], 'lists:read', (call) =>
			json(200, shapes.list(access.list(call))),
		),
		api('PUT', '/api/lists/:list', 'lists:write', (call) => describeList(room, call)),
		api('DELETE', '/api/lists/:list', 'lists:write', (call) => {
			const found = access.ownList(call);
			room.store.removeList(found);
			room.hooks.listDeleted(found);
			return noContent();
		}),
	];
}

/** Other users' lists are visible if anybody, with or without account, has a permission there. */
function showLists({ context, store, shapes }: MailRoom, call: ApiCall): Answer {
	const owner = ownerOf(context, call);
	const rows = store.lists
		.filter((each) => each.owner === owner)
		.filter(({ permissions: { account, nonsubscriber } }) => {
			return owner === call.user || account.length + nonsubscriber.length > 0;
		})
		.toReversed();
	return list(context.dialect, call, { rows, id: (row) => row.id, show: shapes.list });
}

const maxNameLength = 128;
const maxDescriptionLength = 2047;

function addList({ context, store, shapes, hooks }: MailRoom, call: ApiCall): Answer {
	const { dialect } = context;
	const sent = validate(dialect, call.body);
	const name = sent.text('name', { label: 'Name', required: true }) ?? '';
	const description = sent.text('description');
	if (name !== '') {
		expectName(sent, name);
	}
	const fits = (description?.length ?? 0) <= maxDescriptionLength;
	sent.expect(fits, 'Description must be less than 2048 characters.', 'description');
	const taken = store.lists.some((each) => each.owner === call.user && each.name.toLowerCase() === name.toLowerCase());
	sent.expect(!taken, 'This name is already in use.', 'name');
	sent.done();
	if (name.length > maxNameLength) {
		throw crash(dialect, invalid('Name must be at most 128 characters.', 'name'));
	}
	const made = store.addList(call.user, name, description ?? null, context.nowMs());
	hooks.listCreated(made);
	return json(201, shapes.list(made));
}

function expectName(sent: Validation, name: string): void {
	sent.expect(/^[a-z._-][a-z0-9._-]*$/.test(name), 'Only lower-case letters, digits or <samp>._-</samp>', 'name');
	sent.expect(!['.', '..', '.git', '.hg'].includes(name), 'This name is reserved.', 'name');
}

/** The length is unchecked, and null is valid (docs/protocol.md#list-fields). */
function describeList({ context, store, access, shapes, hooks }: MailRoom, call: ApiCall): Answer {
	const found = access.ownList(call);
	const sent = validate(context.dialect, call.body);
	const description = sent.text('description', { nullable: true });
	sent.done();
	if (sent.has('description')) {
		store.describeList(found, description ?? null, context.nowMs());
		hooks.listUpdated(found);
	}
	return json(200, shapes.list(found));
}
