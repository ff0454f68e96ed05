import assert from 'node:assert/strict';
import { webhookEndpoints } from '../../src/rest/restWebhooks.ts';
import { listEndpoints, observedEndpoints, repositoryEndpoints, trackerEndpoints } from '../../src/rest/endpoints.ts';
import { userEndpoints } from '../../src/rest/restForge.ts';

/** A row of the contract tables: method, path, path with implied user, scope. A dash means none. */
type Row = readonly [method: string, path: string, implied: string, scope: string];

/*
 * The tables of the contract (docs/protocol.md#endpoints), typed by hand and deliberately not derived from the code:
 * the test compares the contract with the client.
 */
const mailingLists: readonly Row[] = [
	['GET', '/api/user/:username', '/api/user', '-'],
	['GET', '/api/user/:username/emails', '/api/emails', 'emails:read'],
	['GET', '/api/emails/:email-id', '-', 'emails:read'],
	['GET', '/api/user/:username/emails/:email-id', '-', 'emails:read'],
	['GET', '/api/thread/:email-id', '-', 'emails:read'],
	['GET', '/api/user/:username/thread/:email-id', '-', 'emails:read'],
	['GET', '/api/user/:username/lists', '/api/lists', 'lists:read'],
	['POST', '/api/lists', '-', 'lists:write'],
	['GET', '/api/user/:username/lists/:list-name', '/api/lists/:list-name', 'lists:read'],
	['PUT', '/api/lists/:list-name', '-', 'lists:write'],
	['GET', '/api/user/:username/lists/:list-name/posts', '/api/lists/:list-name/posts', 'lists:read'],
	['GET', '/api/user/:username/lists/:list-name/patchsets', '-', 'patches:read'],
	['GET', '/api/user/:username/lists/:list-name/patchsets/:id', '-', 'patches:read'],
	['PUT', '/api/user/:username/lists/:list-name/patchsets/:id', '-', 'patches:read'],
	['GET', '/api/user/:username/lists/:list-name/patchsets/:id/patches', '-', 'patches:read'],
	['GET', '/api/subscriptions', '-', 'subs:read'],
	['POST', '/api/subscriptions', '-', 'subs:write'],
	['GET', '/api/subscriptions/:sub-id', '-', 'subs:read'],
	['DELETE', '/api/subscriptions/:sub-id', '-', 'subs:write'],
];

const repositories: readonly Row[] = [
	['GET', '/api/user/:username', '/api/user', '-'],
	['GET', '/api/:username/repos', '/api/repos', 'info:read'],
	['POST', '/api/repos', '-', 'info:write'],
	['GET', '/api/:username/repos/:name', '/api/repos/:name', 'info:read'],
	['PUT', '/api/repos/:name', '-', 'info:write'],
	['DELETE', '/api/repos/:name', '-', 'info:write'],
	['GET', '/api/:username/repos/:name/refs', '/api/repos/:name/refs', 'data:read'],
	['GET', '/api/:username/repos/:name/log', '/api/repos/:name/log', 'data:read'],
	['GET', '/api/:username/repos/:name/log/:ref', '/api/repos/:name/log/:ref', 'data:read'],
	['GET', '/api/:username/repos/:name/tree', '/api/repos/:name/tree', 'data:read'],
	['GET', '/api/:username/repos/:name/tree/:ref', '/api/repos/:name/tree/:ref', 'data:read'],
	['GET', '/api/:username/repos/:name/tree/:ref/:path', '/api/repos/:name/tree/:ref/:path', 'data:read'],
	['GET', '/api/:username/repos/:name/blob/:ref/:path', '/api/repos/:name/blob/:ref/:path', 'data:read'],
	['GET', '/api/:username/repos/:name/tree/:id', '/api/repos/:name/tree/:id', 'data:read'],
	['GET', '/api/:username/repos/:name/blob/:id', '/api/repos/:name/blob/:id', 'data:read'],
];

const tracker = ':tracker-name';
const trackers: readonly Row[] = [
	['GET', '/api/user/:username', '/api/user', '-'],
	['GET', '/api/user/:username/trackers', '/api/trackers', 'trackers:read'],
	['POST', '/api/trackers', '-', 'trackers:write'],
	['GET', `/api/user/:username/trackers/${tracker}`, `/api/trackers/${tracker}`, 'trackers:read'],
	['PUT', `/api/user/:username/trackers/${tracker}`, `/api/trackers/${tracker}`, 'trackers:write'],
	['DELETE', `/api/trackers/${tracker}`, '-', 'trackers:write'],
	['GET', `/api/user/:username/trackers/${tracker}/labels`, `/api/trackers/${tracker}/labels`, 'trackers:read'],
	['GET', `/api/user/:username/trackers/${tracker}/tickets`, `/api/trackers/${tracker}/tickets`, 'tickets:read'],
	['POST', `/api/user/:username/trackers/${tracker}/tickets`, `/api/trackers/${tracker}/tickets`, 'tickets:write'],
	[
		'GET',
		`/api/user/:username/trackers/${tracker}/tickets/:ticket-id`,
		`/api/trackers/${tracker}/tickets/:ticket-id`,
		'tickets:read',
	],
	[
		'PUT',
		`/api/user/:username/trackers/${tracker}/tickets/:ticket-id`,
		`/api/trackers/${tracker}/tickets/:ticket-id`,
		'tickets:write',
	],
	[
		'GET',
		`/api/user/:username/trackers/${tracker}/tickets/:ticket-id/events`,
		`/api/trackers/${tracker}/tickets/:ticket-id/events`,
		'tickets:read',
	],
];

/** Webhook paths (docs/protocol.md#events-of-the-contract), each with endpoints to create, list and delete. */
const webhookFamilies: Readonly<Record<string, readonly string[]>> = {
	lists: ['/api/user', '/api/user/:username/lists/:list-name'],
	git: ['/api/user', '/api/:username/repos/:name'],
	todo: [
		'/api/user',
		'/api/user/:username/trackers/:tracker-name',
		'/api/user/:username/trackers/:tracker-name/tickets/:ticket-id',
	],
};
const standardWebhookEndpoints = [
	['GET', ''],
	['POST', ''],
	['DELETE', '/:id'],
] as const;

/** Implied forms absent from the contract, each with its reason. */
const impliedNotShown: ReadonlyMap<string, string> = new Map(
	['GET …/patchsets', 'GET …/patchsets/:id', 'PUT …/patchsets/:id', 'GET …/patchsets/:id/patches'].map((route) => [
		route.replace('…', '/api/user/:username/lists/:list-name'),
		'seen on servers only (docs/protocol.md#routes-beyond-the-contract); not used: the explicit form is sure',
	]),
);

/** Rows whose scope on servers differs from the contract, each with its reason. */
const otherScopes: ReadonlyMap<string, readonly [scope: string, reason: string]> = new Map([
	[
		'PUT /api/user/:username/lists/:list-name/patchsets/:id',
		['patches:write', 'a token with patches:read gets 403 (docs/protocol.md#patchset-updates)'],
	],
]);

/** Webhook rows beyond the standard ones, each with its reason. */
const otherWebhookRows: ReadonlyMap<string, string> = new Map([
	['GET /:id', 'one webhook can be read (docs/protocol.md#webhook-routes); the contract shows no path at all'],
]);

interface AnyEndpoint {
	readonly area: string;
	readonly route: string;
	readonly implied: string | { readonly none: string };
	readonly scope: string | null;
	readonly asksFor?: { readonly scope: string; readonly because: string };
	readonly explicitOnly?: { readonly because: string };
}

/** Removes the client's own marker for parameters that keep slashes. */
function plain(path: string): string {
	return path.replaceAll('*', '');
}

function rowOf({ route, implied, scope }: AnyEndpoint): Row {
	const [method = '', path = ''] = plain(route).split(' ');
	const shown = typeof implied === 'string' && !impliedNotShown.has(plain(route)) ? plain(implied) : '-';
	return [method, path, shown, scope ?? '-'];
}

function lines(rows: readonly Row[]): readonly string[] {
	return rows.map((row) => row.join('  ')).toSorted();
}

function endpointsOf(table: Readonly<Record<string, AnyEndpoint>>): readonly AnyEndpoint[] {
	return Object.values(table);
}

const areas = [
	{
		rows: mailingLists,
		endpoints: [userEndpoints.lists, ...endpointsOf(listEndpoints)],
		area: 'lists',
	},
	{
		rows: repositories,
		endpoints: [userEndpoints.git, ...endpointsOf(repositoryEndpoints)],
		area: 'git',
	},
	{ rows: trackers, endpoints: [userEndpoints.todo, ...endpointsOf(trackerEndpoints)], area: 'todo' },
];

suite('contract tables', () => {
	for (const { rows, endpoints, area } of areas) {
		test(`match the endpoints of ${area} in rows and scopes`, () => {
			assert.deepEqual(lines(endpoints.map(rowOf)), lines(rows));
		});

		test(`assign the endpoints of ${area} to their area`, () => {
			assert.deepEqual(new Set(endpoints.map((endpoint) => endpoint.area)), new Set([area]));
		});
	}

	test('hold 19, 15 and 12 rows', () => {
		assert.deepEqual([mailingLists.length, repositories.length, trackers.length], [19, 15, 12]);
	});

	test('give a reason for each row without an implied form', () => {
		for (const { implied, route } of areas.flatMap(({ endpoints }) => endpoints)) {
			assert.ok(typeof implied === 'string' || implied.none.length > 10, route);
		}
	});

	test('give a reason for each unused implied form, and these are exactly the ones absent from the contract', () => {
		const unused = areas.flatMap(({ endpoints }) => endpoints).filter(({ explicitOnly }) => explicitOnly !== undefined);
		assert.deepEqual(new Set(unused.map(({ route }) => plain(route))), new Set(impliedNotShown.keys()));
		assert.ok(unused.every(({ explicitOnly }) => (explicitOnly?.because.length ?? 0) > 10));
	});

	test('list every endpoint whose requested scope differs, with a reason', () => {
		const exceptions = areas.flatMap(({ endpoints }) => endpoints).filter(({ asksFor }) => asksFor !== undefined);
		assert.deepEqual(
			exceptions.map(({ route, asksFor }) => [plain(route), asksFor?.scope]),
			Array.from(otherScopes, ([route, [scope]]) => [route, scope]),
		);
		assert.ok(exceptions.every(({ asksFor }) => (asksFor?.because.length ?? 0) > 10));
	});

	test('require no write scope for a read, so that hovering never requests one', () => {
		const all = [
			...areas.flatMap(({ endpoints }) => endpoints),
			...endpointsOf(observedEndpoints),
			...Object.values(webhookEndpoints).flatMap((family) => endpointsOf(family)),
		];
		const reads = all.filter(({ route }) => route.startsWith('GET '));
		const asking = reads.filter(({ scope, asksFor }) => (asksFor?.scope ?? scope)?.endsWith(':write'));
		assert.ok(reads.length > 40, `${reads.length} reads`);
		assert.deepEqual(
			asking.map(({ route }) => route),
			[],
		);
	});

	test('include the standard endpoints of every webhook family, without a scope', () => {
		const wanted = Object.entries(webhookFamilies).flatMap(([area, prefixes]) =>
			prefixes.flatMap((prefix) => [
				...standardWebhookEndpoints.map(([method, rest]) => `${area} ${method} ${prefix}/webhooks${rest}`),
				...Array.from(otherWebhookRows.keys(), (row) => `${area} ${row.replace(' ', ` ${prefix}/webhooks`)}`),
			]),
		);
		const found = Object.values(webhookEndpoints).flatMap(({ webhooks, create, webhook, remove }) =>
			endpointsOf({ webhooks, create, webhook, remove }),
		);
		assert.deepEqual(found.map(({ area, route }) => `${area} ${route}`).toSorted(), wanted.toSorted());
		assert.ok(found.every(({ scope }) => scope === null));
	});

	test('contain no endpoint of the observed and webhook tables', () => {
		const contract = new Set(areas.flatMap(({ rows }) => rows.map(([method, path]) => `${method} ${path}`)));
		const extra = [
			...endpointsOf(observedEndpoints),
			...Object.values(webhookEndpoints).flatMap(({ deliveries, delivery, redeliver }) =>
				endpointsOf({ deliveries, delivery, redeliver }),
			),
		];
		assert.equal(extra.length, 8 + 7 * 3);
		assert.ok(extra.every(({ route }) => !contract.has(plain(route))));
	});
});
