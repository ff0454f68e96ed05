import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { everywhere, type ContentArea } from 'sourcehut/port/instance.ts';
import { ForgeError, isForgeError } from 'sourcehut/port/forgeError.ts';
import type { Scope } from 'sourcehut/port/scope.ts';
import type { Document } from 'sourcehut/graphql/transport/document.ts';
import { grantsOf, neededFor, projectGrants, serviceNames } from 'sourcehut/graphql/transport/grants.ts';
import { graphqlCaller } from 'sourcehut/graphql/transport/graphqlCaller.ts';
import * as git from 'sourcehut/graphql/git/gitDocuments.ts';
import * as projects from 'sourcehut/graphql/hub/hubDocuments.ts';
import * as lists from 'sourcehut/graphql/lists/listDocuments.ts';
import * as oldMails from 'sourcehut/graphql/lists/oldMailDocuments.ts';
import * as todo from 'sourcehut/graphql/todo/todoDocuments.ts';
import * as users from 'sourcehut/graphql/userDocuments.ts';
import { hookDocuments } from 'sourcehut/graphql/webhooks/graphqlWebhooks.ts';
import type { HttpAnswer, HttpClient } from 'sourcehut/http/httpClient.ts';
import { sampleInstance } from '../../../support/fakeConnection.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { grantToken } from '../../../support/grantToken.ts';
import { wanted } from '../../../support/contractForge.ts';
import { standFor } from '../../../support/standFor.ts';

const { explain } = await import('../../../../src/editor/ask/problems.ts');

const { subscriptions, ...trackersAndTickets } = todo;

interface Asked {
	readonly area: ContentArea;
	readonly scope: Scope;
	readonly document: Document;
	readonly read: (data: unknown) => unknown;
}

const services = serviceNames({ scopeSpelling: { prefixes: {}, names: {} } });
const ofHub = new Set<Asked>(Object.values<Asked>(projects));
const ofSubscriptions = new Set<Asked>(Object.values<Asked>(subscriptions));
const modules = [trackersAndTickets, subscriptions, lists, oldMails, git, projects];
/** Every user and version query needs the scope of its service. */
const ofUsers = Object.values(users).flatMap((operation) =>
	(['trackers:read', 'lists:read', 'info:read'] as const).map((scope, at): Asked => ({
		...operation,
		area: (['todo', 'lists', 'git'] as const)[at] ?? 'todo',
		scope,
	})),
);
const asked: readonly Asked[] = [
	...modules.flatMap((documents) => Object.values<Asked>(documents)),
	...Object.values(hookDocuments).flatMap((documents) => Object.values<Asked>({ ...documents })),
	...ofUsers,
];

/** Feature that fails without the permission, in the words of the message. */
const works: Readonly<Record<Scope, string>> = {
	'emails:read': 'email',
	'lists:read': 'mailing lists',
	'lists:write': 'changing mailing lists',
	'patches:read': 'patchsets',
	'patches:write': 'changing patchsets',
	'subs:read': 'subscriptions',
	'subs:write': 'changing subscriptions',
	'info:read': 'repositories',
	'info:write': 'changing repositories',
	'data:read': 'files and commits',
	'trackers:read': 'trackers',
	'trackers:write': 'changing trackers',
	'tickets:read': 'tickets',
	'tickets:write': 'changing tickets',
};

function grantsNeeded(operation: Asked): readonly string[] {
	if (ofHub.has(operation)) {
		return projectGrants;
	}
	return (ofSubscriptions.has(operation) ? grantsOf : neededFor)(operation.scope, services);
}

/** Message for a user whose token has `grants` and whose request got `answer`. */
async function sentence(operation: Asked, grants: readonly string[], answer: object): Promise<string | undefined> {
	const http = standFor<HttpClient>({
		send: async (): Promise<HttpAnswer> => ({
			status: 200,
			contentType: 'application/json',
			location: undefined,
			retryAfterMs: undefined,
			body: new TextEncoder().encode(JSON.stringify(answer)),
		}),
	});
	const token = grantToken({ expiresS: 2_000_000_000, grants: grants.join(' '), clientId: '', name: 'alice' });
	const caller = graphqlCaller(
		{
			instance: { ...sampleInstance, protocols: everywhere('graphql'), scopeSpelling: { prefixes: {}, names: {} } },
			me: '~alice',
			tokenFor: () => token,
			http,
			clock: fakeClock(),
		},
		ofHub.has(operation) ? 'projects' : undefined,
	);
	try {
		await caller.ask({ ...operation, isSlow: true }, {}, wanted());
		return undefined;
	} catch (error) {
		assert.ok(isForgeError(error), String(error));
		return explain(error).message;
	}
}

suite('missing permission of a token', () => {
	for (const operation of asked) {
		const { area, scope, document } = operation;
		const of = ofHub.has(operation) ? 'projects' : area;
		const needed = grantsNeeded(operation);
		const root = /^(?:query|mutation) \w+(?:\(.*?\))?\{(\w+)/.exec(document.text)?.[1] ?? assert.fail(document.text);

		test(`is named in the message for ${document.name} of ${of} (${scope}), with the feature that needs it`, async () => {
			assert.notEqual(needed.length, 0);
			for (const grant of needed) {
				const word = grant.slice(grant.indexOf('/') + 1);
				const others = needed.filter((other) => other !== grant);
				const isOfMailedTickets = ofSubscriptions.has(operation) && word.startsWith('SUBSCRIPTIONS');
				const what = ofHub.has(operation)
					? 'projects'
					: isOfMailedTickets
						? 'following tickets by email'
						: works[scope];
				const expected = `Your token doesn't have the permission ${grant}. It does not permit: ${what}. Sign in again to grant it.`;
				const path = [root];
				const clear = { data: null, errors: [{ message: `Access denied, missing ${word} grant`, path }] };
				const older = { data: null, errors: [{ message: 'Access denied for invalid auth method', path }] };
				const nulls = { message: 'the requested element is null which the schema does not allow', path };
				const answers = [clear, older, { ...clear, errors: [nulls, ...clear.errors] }, { data: null }];
				for (const answer of isOfMailedTickets ? answers.slice(0, 3) : answers) {
					assert.equal(await sentence(operation, others, answer), expected, JSON.stringify(answer));
				}
			}
		});
	}

	test('is not blamed for a missing thing when the token has all permissions', async () => {
		const all = neededFor('tickets:read', services);
		const nothing = { data: { user: { tracker: { ticket: null } } } };
		assert.equal(await sentence(todo.readTicket, all, nothing), undefined);
		const silent = await sentence(todo.readTicket, all.slice(1), nothing);
		assert.match(silent ?? '', /permission todo\.sr\.ht\/TICKETS:RO\. It does not permit: tickets\./);
		const refused = { data: null, errors: [{ message: 'Access denied for invalid auth method' }] };
		const notAllowed = explain(new ForgeError({ kind: 'notAllowed' })).message;
		assert.equal(await sentence(todo.readTicket, grantsOf('tickets:read', services), refused), notAllowed);
	});
});
