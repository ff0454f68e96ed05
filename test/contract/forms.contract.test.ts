import assert from 'node:assert/strict';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import type { Caller } from 'sourcehut/rest/caller.ts';
import type { Endpoint } from 'sourcehut/rest/endpoint.ts';
import { listEndpoints, observedEndpoints, repositoryEndpoints, trackerEndpoints } from 'sourcehut/rest/endpoints.ts';
import { userEndpoints } from 'sourcehut/rest/restForge.ts';
import { contractSuite, wanted } from '../support/contractForge.ts';

/** A read endpoint with path parameters for the sample world. */
interface Row {
	readonly name: string;
	readonly endpoint: Endpoint<string, unknown>;
	readonly params: Readonly<Record<string, string | number>>;
}

const tracker = { 'tracker-name': 'lantern' };
const ticket = { ...tracker, 'ticket-id': 3 };

const list = { 'list-name': 'lantern-devel' };
const patchset = { ...list, id: 35 };
const repository = { name: 'lantern' };

const rows: readonly Row[] = [
	...Object.values(userEndpoints).map((endpoint) => ({ name: `user of ${endpoint.area}`, endpoint, params: {} })),
	{ name: 'trackers', endpoint: trackerEndpoints.trackers, params: {} },
	{ name: 'tracker', endpoint: trackerEndpoints.tracker, params: tracker },
	{ name: 'labels', endpoint: trackerEndpoints.labels, params: tracker },
	{ name: 'tickets', endpoint: trackerEndpoints.tickets, params: tracker },
	{ name: 'ticket', endpoint: trackerEndpoints.ticket, params: ticket },
	{ name: 'events', endpoint: trackerEndpoints.events, params: ticket },
	{ name: 'emails', endpoint: listEndpoints.emails, params: {} },
	{ name: 'lists', endpoint: listEndpoints.lists, params: {} },
	{ name: 'list', endpoint: listEndpoints.list, params: list },
	{ name: 'posts', endpoint: listEndpoints.posts, params: list },
	{ name: 'patchsets', endpoint: listEndpoints.patchsets, params: list },
	{ name: 'patchset', endpoint: listEndpoints.patchset, params: patchset },
	{ name: 'patches', endpoint: listEndpoints.patches, params: patchset },
	{ name: 'repositories', endpoint: repositoryEndpoints.repositories, params: {} },
	{ name: 'repository', endpoint: repositoryEndpoints.repository, params: repository },
	{ name: 'references', endpoint: repositoryEndpoints.references, params: repository },
	{ name: 'log', endpoint: repositoryEndpoints.log, params: repository },
	{ name: 'logFrom', endpoint: repositoryEndpoints.logFrom, params: { ...repository, ref: 'release/0.9' } },
	{ name: 'rootTree', endpoint: repositoryEndpoints.rootTree, params: repository },
	{ name: 'refTree', endpoint: repositoryEndpoints.refTree, params: { ...repository, ref: 'release/0.9' } },
	{ name: 'pathTree', endpoint: repositoryEndpoints.pathTree, params: { ...repository, ref: 'master', path: 'doc' } },
	{
		name: 'pathBlob',
		endpoint: repositoryEndpoints.pathBlob,
		params: { ...repository, ref: 'master', path: 'README.md' },
	},
	{ name: 'refdb', endpoint: observedEndpoints.refdb, params: { ...repository, refname: 'HEAD' } },
	{ name: 'lookup', endpoint: observedEndpoints.lookup, params: { ...repository, rev: 'v0.9.0' } },
];

/** Write endpoints with both forms and a harmless body. */
const writes = [
	{ name: 'update', endpoint: trackerEndpoints.update, params: tracker, body: { description: 'Lights the way' } },
	{
		name: 'submit',
		endpoint: trackerEndpoints.submit,
		params: tracker,
		body: { title: 'In either form', description: '' },
	},
	{ name: 'updateTicket', endpoint: trackerEndpoints.updateTicket, params: ticket, body: {} },
	{
		name: 'updatePatchset',
		endpoint: impliedToo(listEndpoints.updatePatchset),
		params: patchset,
		body: { status: 'approved' },
	},
] satisfies readonly (Row & { readonly body: object })[];

/** Paths with and without a user exist only in REST. */
contractSuite('both forms', { inBoth: true }, ({ dialect, forge }) => {
	/** Alice, using explicit paths for her own objects. */
	function asOthersDo(): Caller {
		return forge().caller('alice', '~somebody-else');
	}

	for (const { name, endpoint, params } of rows) {
		test(`${name} returns the same in the explicit and the implied form`, async () => {
			const { sample } = forge();
			await sample.forgetRequests();
			const implied = await forge().caller('alice').call(impliedToo(endpoint), { params, signal: wanted() });
			const explicit = await asOthersDo().call(endpoint, { params, owner: '~alice', signal: wanted() });
			assert.deepEqual(explicit, implied);
			const [first, second] = (await sample.requests()).map(({ path }) => path);
			assert.ok(first && !first.includes('~alice'));
			assert.ok(second?.includes('/~alice'));
		});
	}

	for (const { name, endpoint, params, body } of writes) {
		test(`${name} works in the explicit and the implied form`, async () => {
			const write: Endpoint<string, unknown> = endpoint;
			assert.ok(await forge().caller('alice').call(write, { params, body, signal: wanted() }));
			assert.ok(await asOthersDo().call(write, { params, owner: '~alice', body, signal: wanted() }));
		});
	}

	test('objects by id are the same in both forms, including the form that servers misspell', async () => {
		const own = forge().caller('alice');
		const others = asOthersDo();
		const { id, entries } = await own.call(repositoryEndpoints.rootTree, { params: repository, signal: wanted() });
		const tree = { params: { ...repository, id }, owner: '~alice', signal: wanted() };
		assert.deepEqual(
			await others.call(repositoryEndpoints.treeById, tree),
			await own.call(repositoryEndpoints.treeById, tree),
		);
		const readme = entries.find(({ name }) => name === 'README.md')?.id ?? '';
		const blob = { params: { ...repository, id: readme }, owner: '~alice', signal: wanted() };
		const implied = await own.call(repositoryEndpoints.blobById, blob);
		const explicit = others.call(repositoryEndpoints.blobById, blob);
		if (dialect === 'field') {
			await assert.rejects(explicit, isForgeError);
			assert.deepEqual(await others.call(observedEndpoints.misspelledBlobById, blob), implied);
		} else {
			assert.deepEqual(await explicit, implied);
		}
	});
});

/** The endpoint, allowed to use the implied form. */
function impliedToo(endpoint: Endpoint<string, unknown>): Endpoint<string, unknown> {
	const { explicitOnly: _unused, ...both } = endpoint;
	return both;
}
