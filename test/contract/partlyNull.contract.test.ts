import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { buildSchema, isNonNullType, parse, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import type { Document } from 'sourcehut/graphql/transport/document.ts';
import * as git from 'sourcehut/graphql/git/gitDocuments.ts';
import * as lists from 'sourcehut/graphql/lists/listDocuments.ts';
import * as todo from 'sourcehut/graphql/todo/todoDocuments.ts';
import * as users from 'sourcehut/graphql/userDocuments.ts';
import { hookDocuments } from 'sourcehut/graphql/webhooks/graphqlWebhooks.ts';
import { schemaText } from 'sample-forge/graphql/engine.ts';
import { protocolSuite } from '../support/contractForge.ts';
import { leaveOut } from '../support/leftOut.ts';
import { allReadings, type Reading } from './support/portCalls.ts';

const { subscriptions, ...trackersAndTickets } = todo;

type Documents = Readonly<Record<string, { readonly document: Document }>>;

const services: readonly (readonly [schema: string, modules: readonly Documents[]])[] = [
	[schemaText('todo', '2026'), [users, trackersAndTickets, subscriptions, { ...hookDocuments.todoUser }]],
	[schemaText('lists', '2026'), [users, lists, { ...hookDocuments.listsUser }]],
	[schemaText('git', '2026'), [users, git, { ...hookDocuments.gitUser }]],
];

/** Nullable fields such as `Tracker.acl`, per query name. */
function nullableFields(): ReadonlyMap<string, ReadonlySet<string>> {
	const byQuestion = new Map<string, Set<string>>();
	for (const [text, modules] of services) {
		const types = new TypeInfo(buildSchema(text));
		for (const { document } of modules.flatMap((module) => Object.values(module))) {
			const found = byQuestion.get(document.name) ?? new Set<string>();
			const look = visitWithTypeInfo(types, {
				Field({ name }) {
					const type = types.getType();
					if (type && !isNonNullType(type) && !document.isMutation) {
						found.add(`${types.getParentType()?.name}.${name.value}`);
					}
				},
			});
			visit(parse(document.text), look);
			byQuestion.set(document.name, found);
		}
	}
	return byQuestion;
}

/** Counts the marks of missing data: fields without a value, incomplete lists, unread files. */
function marksIn(found: unknown): number {
	if (typeof found !== 'object' || found === null) {
		return [Number.POSITIVE_INFINITY, 'unread'].some((mark) => mark === found) ? 1 : 0;
	}
	const own =
		('name' in found && 'json' in found && found.json === undefined) ||
		('kind' in found && found.kind === 'more') ||
		('areArtifactsUnread' in found && found.areArtifactsUnread === true);
	const inside: unknown[] = found instanceof Map ? [...found.values()] : Object.values(found);
	return inside.reduce<number>((sum, each) => sum + marksIn(each), own ? 1 : 0);
}

function isCutList(found: unknown): boolean {
	const last: unknown = Array.isArray(found) ? found.at(-1) : undefined;
	return typeof last === 'object' && last !== null && 'completeness' in last && marksIn(last.completeness) > 0;
}

/** Cursors differ in each response. */
function withoutCursors(found: unknown): unknown {
	return Array.isArray(found)
		? found.map((page: unknown) => (typeof page === 'object' && page !== null ? { ...page, next: undefined } : page))
		: found;
}

/** Fields that a response must have. */
const needed = [
	'Query.email',
	'Query.patchset',
	'Query.subscriptions',
	'Query.user',
	'Repository.HEAD',
	'Repository.path',
	'Repository.revparse_single',
	'Ticket.subscription',
	'Tracker.subscription',
	'User.list',
	'User.repository',
	'User.tracker',
];

/** Fields that may be missing, with a mark. */
const dispensable = [
	'ActivitySubscriptionCursor.cursor',
	'ArtifactCursor.cursor',
	'Email.parent',
	'Email.patch',
	'Email.patchset',
	'EmailAddress.name',
	'EmailCursor.cursor',
	'EventCursor.cursor',
	'ExternalUser.externalUrl',
	'LabelCursor.cursor',
	'MailingList.description',
	'MailingList.lastActivity',
	'MailingListCursor.cursor',
	'Patch.index',
	'Patch.version',
	'Patchset.coverLetter',
	'Patchset.prefix',
	'Patchset.supersededBy',
	'Patchset.supersedes',
	'PatchsetCursor.cursor',
	'Repository.description',
	'RepositoryCursor.cursor',
	'ThreadCursor.cursor',
	'Ticket.body',
	'TicketCursor.cursor',
	'Tracker.acl',
	'Tracker.description',
	'Tracker.ticket',
	'TrackerCursor.cursor',
	'Tree.entry',
	'User.bio',
	'User.location',
	'User.url',
	'WebhookSubscriptionCursor.cursor',
];

protocolSuite('failed fields in a response', {}, ({ dialect, forge }) => {
	test('are marked in the result, or reject it if the field is essential', async function () {
		if (dialect !== 'graphql') {
			leaveOut(this, 'partlyNull');
		}
		const { sample } = forge();
		const fields = nullableFields();
		const readings: { readonly reading: Reading; readonly truth: unknown; readonly asks: ReadonlySet<string> }[] = [];
		for (const reading of await allReadings(forge().as('alice'))) {
			await sample.forgetRequests();
			const truth = withoutCursors(await reading.read(forge().as('alice')));
			const names = (await sample.requests()).flatMap(
				({ question }) => /^query (\w+)/.exec(question ?? '')?.[1]?.split('_') ?? [],
			);
			readings.push({ reading, truth, asks: new Set(names.flatMap((name) => [...(fields.get(name) ?? [])])) });
		}
		const wrong: string[] = [];
		const shown = new Set<string>();
		const refused = new Set<string>();
		for (const field of new Set([...fields.values()].flatMap((each) => [...each]))) {
			await sample.fault({}, { kind: 'failedField', field });
			for (const { reading, truth } of readings.filter(({ asks }) => asks.has(field))) {
				try {
					const found = withoutCursors(await reading.read(forge().as('alice')));
					const isSame = isDeepStrictEqual(found, truth);
					if (!isSame && !isCutList(found) && marksIn(found) <= marksIn(truth)) {
						wrong.push(`${reading.name} without ${field}`);
					}
					if (!isSame) {
						shown.add(field);
					}
				} catch (error) {
					assert.ok(isForgeError(error), String(error));
					refused.add(field);
				}
			}
			await sample.clearFaults();
		}
		assert.deepEqual(wrong, []);
		assert.deepEqual([...refused].filter((field) => !shown.has(field)).toSorted(), needed);
		assert.deepEqual([...shown].toSorted(), dispensable);
	});
});
