import type { ApiCall, Answer, Route } from '../shared/area.ts';
import { bothForms } from '../shared/area.ts';
import { invalid, json, list, notFound } from '../shared/answers.ts';
import { ownerOf } from '../identity/users.ts';
import { parseArchiveSearch } from './archiveSearch.ts';
import type { Email } from './mailModel.ts';
import type { MailRoom } from './mailRoom.ts';

/** Emails, threads and the posts of a list (docs/protocol.md#posts, docs/protocol.md#threads). */
export function emailRoutes(room: MailRoom): readonly Route[] {
	const { access, shapes } = room;
	return [
		...bothForms('GET', ['/api/user/:username/emails', '/api/emails'], 'emails:read', (call) => sentBy(room, call)),
		// The path's user is ignored, even an unknown one.
		...bothForms('GET', ['/api/user/:username/emails/:email', '/api/emails/:email'], 'emails:read', (call) =>
			json(200, shapes.email(access.email(call))),
		),
		...bothForms('GET', ['/api/user/:username/thread/:email', '/api/thread/:email'], 'emails:read', (call) =>
			showThread(room, call),
		),
		...bothForms('GET', ['/api/user/:username/lists/:list/posts', '/api/lists/:list/posts'], 'lists:read', (call) =>
			showPosts(room, call),
		),
	];
}

function sentBy(room: MailRoom, call: ApiCall): Answer {
	const { context, store, access } = room;
	const sender = ownerOf(context, call);
	const readable = store.lists.filter((each) => access.held(each, call.user).has('browse'));
	const rows = readable
		.flatMap(({ emails }) => emails.filter((email) => email.sender === sender))
		.toSorted((a, b) => b.id - a.id);
	return listEmails(room, call, rows);
}

function listEmails({ context, shapes }: MailRoom, call: ApiCall, rows: readonly Email[]): Answer {
	const show = context.dialect.shortPosts ? shapes.shortEmail : shapes.email;
	return list(context.dialect, call, { rows, id: (row) => row.id, show });
}

/** A bare array in both dialects. A mail that is not the first of its thread has none. */
function showThread({ context, store, access, shapes, pages }: MailRoom, call: ApiCall): Answer {
	const first = access.email(call);
	if (first.root !== null) {
		throw notFound();
	}
	return pages.keep(store.revision(), `thread ${first.id}`, () => {
		return context.dialect.longThreads
			? json(200, [first, ...swapped(first.answers)].map(shapes.email))
			: json(200, [first, ...first.answers].map(shapes.shortEmail));
	});
}

/** Real servers return replies in no fixed order. Swap each pair: wrong, but deterministic. */
function swapped(emails: readonly Email[]): readonly Email[] {
	return emails.map((email, at) => emails[at % 2 === 0 ? at + 1 : at - 1] ?? email);
}

function showPosts(room: MailRoom, call: ApiCall): Answer {
	const { emails } = room.access.list(call);
	const search = call.query.get('search') ?? '';
	if (search !== '') {
		const found = parseArchiveSearch(search);
		if (typeof found === 'string') {
			throw invalid(found);
		}
		return listEmails(room, call, emails.filter(found).toReversed());
	}
	const starters = room.context.dialect.postsAreThreadStarters;
	const rows = emails.filter(({ root }) => !starters || root === null).toReversed();
	return room.pages.keep(room.store.revision(), pageKey(call), () => listEmails(room, call, rows));
}

/** Cache key: all readers of a list see the same page. */
function pageKey(call: ApiCall): string {
	return `posts ${call.params['username'] ?? `~${call.user.name}`} ${call.path} ${call.query.get('start') ?? ''}`;
}
