import { findUser, ownerOf, ownTarget, userRoutes } from '../identity/users.ts';
import { headerOf } from '../mail/message.ts';
import type { SmtpParts } from '../mail/smtpDoor.ts';
import { json, list, crash, invalid, noContent, notFound } from '../shared/answers.ts';
import {
	type ApiCall,
	type Answer,
	type Method,
	type Route,
	type Scope,
	bothForms,
	api,
	findOwned,
	type Context,
	isTaken,
} from '../shared/area.ts';
import { validate, type Validation } from '../shared/body.ts';
import { parseListAddress } from './listAddress.ts';
import { listPages } from './listPages.ts';
import { isPatchsetStatus, type MailingList, type Email } from './mailModel.ts';
import { expectOwner, type MailRoom, listTarget, openMailRoom } from './mailRoom.ts';
import { changeSubscription, findList, maxMailBytes, receiveMail, type Verdict } from './postOffice.ts';
import { check, need } from '../shared/checks.ts';

type Handler = (room: MailRoom, call: ApiCall) => Answer;

const toolIcons = ['pending', 'waiting', 'success', 'failed', 'cancelled'];

/** Patchsets of a list (docs/protocol.md#patchset-fields), implied forms too. */
function patchsetRoutes(room: MailRoom): readonly Route[] {
	const forms = (method: Method, rest: string, scope: Scope, handle: Handler): readonly Route[] => {
		return bothForms(method, `/lists/:list/patchsets${rest}`, scope, (call) => handle(room, call));
	};
	const writing = room.context.dialect.patchsetWriteScope ? 'patches:write' : 'patches:read';
	return [
		...forms('GET', '', 'patches:read', showPatchsets),
		...forms('GET', '/:patchset', 'patches:read', ({ access, shapes }, call) =>
			json(200, shapes.patchset(access.patchset(call))),
		),
		...forms('PUT', '/:patchset', writing, setStatus),
		...forms('GET', '/:patchset/patches', 'patches:read', showPatches),
		...forms('PUT', '/:patchset/tools', writing, setTool),
	];
}

const showPatchsets: Handler = ({ context, access, shapes }, call) => {
	const rows = access.list(call).patchsets.toReversed();
	return list(context.dialect, call, { rows, id: (row) => row.id, show: shapes.patchset });
};

/** Only the patches, in order of the series; `start` counts mail numbers (docs/protocol.md#patchset-fields). */
const showPatches: Handler = ({ context, store, access, shapes, pages }, call) => {
	const { id, patches: rows } = access.patchset(call);
	const start = call.query.get('start') ?? '';
	return pages.keep(store.revision(), `patches ${id} ${start}`, () =>
		list(context.dialect, call, { rows, id: (row) => row.id, show: shapes.email }),
	);
};

const setStatus: Handler = ({ context, store, access, shapes }, call) => {
	const { dialect } = context;
	const patchset = access.patchset(call);
	expectOwner(context, call, patchset.list);
	const sent = validate(dialect, call.body);
	const status = sent.raw('status');
	if (status === null) {
		sent.expect(false, 'status may not be null', 'status');
	} else if (typeof status !== 'string') {
		sent.expect(status === undefined && !dialect.patchsetStatusRequired, 'status should be an str', 'status');
	} else {
		sent.expect(isPatchsetStatus(status), 'status should be a valid PatchsetStatus', 'status');
	}
	sent.done();
	if (isPatchsetStatus(status)) {
		store.setStatus(patchset, status, context.nowMs());
	}
	return json(200, shapes.patchset(patchset));
};

/** Build result of a patchset. No route returns it. */
const setTool: Handler = ({ context, access }, call) => {
	const patchset = access.patchset(call);
	expectOwner(context, call, patchset.list);
	const sent = validate(context.dialect, call.body);
	const icon = sent.text('icon', { required: true });
	sent.text('details', { required: true });
	sent.text('key', { required: true });
	sent.expect(icon === undefined || toolIcons.includes(icon), 'icon should be a valid ToolIcon', 'icon');
	sent.done();
	return json(200, {});
};

/** The caller's own subscriptions (docs/protocol.md#subscriptions). */
function subscriptionRoutes(room: MailRoom): readonly Route[] {
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
	check(made !== undefined, () => invalid('You are already subscribed to this list.', 'list'));
	hooks.subscribed(made);
	return json(201, shapes.subscription(made));
}

/** `~owner/name`; an e-mail address may replace the owner. */
function findNamed({ context, store }: MailRoom, text: string): MailingList {
	const malformed = invalid('Invalid list name specified - expected owner/list-name', 'list');
	const [ownerName = '', name, ...more] = text.split('/');
	check(name !== undefined, () => malformed);
	check(more.length === 0, () => crash(context.dialect, malformed));
	const owner = findUser(context, 'lists', ownerName);
	return need(findOwned(store.lists, owner, name), notFound);
}

const maxNameLength = 128;

const maxDescriptionLength = 2047;

const wordPattern = /\s*((?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+)/gsy;

const piecePattern = /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)|([^"'\\]+)/gs;

/** The mailing-list area, without lists. */
export function createMailArea(context: Context) {
	const room = openMailRoom(context);
	return {
		room,
		routes: [
			...userRoutes(context),
			...listRoutes(room),
			...emailRoutes(room),
			...patchsetRoutes(room),
			...subscriptionRoutes(room),
			...hookRoutes(room),
			...listPages(room),
		],
		smtp: mailDoor(room),
	};
}

function hookRoutes({ context, access }: MailRoom): readonly Route[] {
	const ofList = (call: ApiCall): string => {
		const list = access.anyList(call);
		if (call.method === 'POST' && !access.held(list, call.user).has('browse')) {
			throw invalid('You are not allowed to watch this list.', 'list', 403);
		}
		return listTarget(list);
	};
	return [
		...context.webhooks.routes('listsUser', '/api/user', (call) => ownTarget(context, call)),
		...context.webhooks.routes('listsList', '/api/user/:username/lists/:list', ofList),
	];
}

/** Accepts and drops mail for other addresses (Cc): nothing leaves this machine. */
function mailDoor(room: MailRoom): SmtpParts {
	const domains = listDomains(room.context);
	return {
		hostName: domains[0],
		maxBytes: maxMailBytes,
		refuseRecipient(text) {
			const address = parseListAddress(text, domains);
			const local = text.slice(text.lastIndexOf('@') + 1).toLowerCase() === domains[0];
			const missing = address === undefined ? local : findList(room, address) === undefined;
			return missing ? `There is no list at ${text}.` : undefined;
		},
		deliver(recipients, mail) {
			const reasons = recipients.flatMap((text) => {
				const address = parseListAddress(text, domains);
				const list = address === undefined ? undefined : findList(room, address);
				if (address === undefined || list === undefined) {
					return [];
				}
				const { command } = address;
				const verdict: Verdict =
					command === 'post' ? receiveMail(room, list, mail) : changeSubscription(room, list, command, mail);
				return verdict.kind === 'refused' ? [verdict.reason] : [];
			});
			return reasons[0];
		},
	};
}

/** Domain of posting addresses, then accepted aliases. */
function listDomains({ mailDomain }: Pick<Context, 'mailDomain'>): readonly [string, ...string[]] {
	return [`lists.${mailDomain}`, mailDomain, 'localhost', '127.0.0.1'];
}

/** Emails, threads and the posts of a list (docs/protocol.md#posts, docs/protocol.md#threads). */
function emailRoutes(room: MailRoom): readonly Route[] {
	const { access, shapes } = room;
	return [
		...bothForms('GET', '/emails', 'emails:read', (call) => sentBy(room, call)),
		// The path's user is ignored, even an unknown one.
		...bothForms('GET', '/emails/:email', 'emails:read', (call) => json(200, shapes.email(access.email(call)))),
		...bothForms('GET', '/thread/:email', 'emails:read', (call) => showThread(room, call)),
		...bothForms('GET', '/lists/:list/posts', 'lists:read', (call) => showPosts(room, call)),
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
	check(first.root === null, notFound);
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

type Test = (email: Email) => boolean;

/**
 * Parses an archive search (docs/protocol.md#list-search), in which all terms must match. Returns the reason of a
 * refusal as a text.
 */
function parseArchiveSearch(text: string): Test | string {
	const words = splitWords(text);
	if (words === undefined) {
		return 'No closing quotation';
	}
	if (words.some((word) => /^!?sender-timestamp:(?!\d+$)/i.test(word))) {
		return 'sender-timestamp takes seconds since 1970';
	}
	const tests = words.map(testOf);
	return (email) => tests.every((test) => test(email));
}

/** Splits as a shell does: blanks part words, quotes and backslashes keep them together. */
function splitWords(text: string): readonly string[] | undefined {
	const trimmed = text.trim();
	const found = Array.from(trimmed.matchAll(wordPattern));
	const readTo = found.reduce((sum, [all]) => sum + all.length, 0);
	return readTo < trimmed.length ? undefined : found.map(([, word = '']) => unquote(word));
}

function unquote(word: string): string {
	return Array.from(word.matchAll(piecePattern), ([, doubled, single, escaped, plain]) => {
		return doubled?.replaceAll(/\\(["\\])/g, '$1') ?? single ?? escaped ?? plain ?? '';
	}).join('');
}

function testOf(word: string): Test {
	const [, negation, key = '', value = ''] = /^(!?)([A-Za-z][A-Za-z0-9-]*):(.*)$/s.exec(word) ?? [];
	if (key === '') {
		return (email) => holds(email.message.subject, word) || holds(email.message.text, word);
	}
	const test = keyTests.get(key.toLowerCase())?.(value) ?? headerTest(key, value);
	return negation === '!' ? (email) => !test(email) : test;
}

const kindTests = new Map<string, Test>([
	['patch', ({ message }) => message.holdsPatch],
	['reply', ({ parent }) => parent !== null],
	['thread', ({ root }) => root === null],
]);

const nothing: Test = () => false;

// "me" works on web pages only; the API finds nobody.
const personTest =
	(key: string) =>
	(value: string): Test =>
		value === 'me' ? nothing : headerTest(key, value);

const keyTests = new Map<string, (value: string) => Test>([
	['is', (kind) => kindTests.get(kind) ?? nothing],
	[
		'from',
		(value) => (value.startsWith('~') ? ({ sender }) => sender?.name === value.slice(1) : personTest('from')(value)),
	],
	['to', personTest('to')],
	['cc', personTest('cc')],
	['status', (value) => (email) => email.patchset?.status === value],
	['prefix', (value) => (email) => email.patchset?.prefix === value],
	[
		'sender-timestamp',
		(value) => (email) =>
			Math.floor(Date.parse(headerOf(email.message.headers, 'Date') ?? '') / 1000) === Number(value),
	],
]);

function headerTest(name: string, part: string): Test {
	return ({ message }) => holds(headerOf(message.headers, name) ?? '', part);
}

function holds(text: string, part: string): boolean {
	return text.toLowerCase().includes(part.toLowerCase());
}

/** Mailing lists. Writing exists in the implied form only (docs/protocol.md#routes-beyond-the-contract). */
function listRoutes(room: MailRoom): readonly Route[] {
	const { access, shapes } = room;
	return [
		...bothForms('GET', '/lists', 'lists:read', (call) => showLists(room, call)),
		api('POST', '/api/lists', 'lists:write', (call) => addList(room, call)),
		...bothForms('GET', '/lists/:list', 'lists:read', (call) => json(200, shapes.list(access.list(call)))),
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
	sent.expect(!isTaken(store.lists, call.user, name), 'This name is already in use.', 'name');
	sent.done();
	check(name.length <= maxNameLength, () => crash(dialect, invalid('Name must be at most 128 characters.', 'name')));
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
