import assert from 'node:assert/strict';
import type { Endpoint } from 'sourcehut/rest/endpoint.ts';
import { listEndpoints } from 'sourcehut/rest/endpoints.ts';
import { userEndpoints } from 'sourcehut/rest/restForge.ts';
import { allItems, contractSuite, wanted } from '../support/contractForge.ts';

/** A lists endpoint (docs/protocol.md#endpoints) that takes a name, with its other path parameters. */
interface Row {
	readonly name: string;
	readonly endpoint: Endpoint<string, unknown>;
	readonly params: (sample: Sample) => Readonly<Record<string, string | number>>;
	readonly body?: object;
}

interface Sample {
	readonly patchset: number;
	readonly mail: { readonly id: number; readonly messageId: string };
}

const list = { 'list-name': 'lantern-devel' };

/** Every row of 4.1 with `:username`, patchset updates included. */
const userRows: readonly Row[] = [
	{ name: 'user', endpoint: userEndpoints.lists, params: () => ({}) },
	{ name: 'emails', endpoint: listEndpoints.emails, params: () => ({}) },
	{ name: 'emailOfUser', endpoint: listEndpoints.emailOfUser, params: ({ mail }) => ({ 'email-id': mail.id }) },
	{ name: 'threadOfUser', endpoint: listEndpoints.threadOfUser, params: ({ mail }) => ({ 'email-id': mail.id }) },
	{ name: 'lists', endpoint: listEndpoints.lists, params: () => ({}) },
	{ name: 'list', endpoint: listEndpoints.list, params: () => list },
	{ name: 'posts', endpoint: listEndpoints.posts, params: () => list },
	{ name: 'patchsets', endpoint: listEndpoints.patchsets, params: () => list },
	{ name: 'patchset', endpoint: listEndpoints.patchset, params: ({ patchset }) => ({ ...list, id: patchset }) },
	{ name: 'patches', endpoint: listEndpoints.patches, params: ({ patchset }) => ({ ...list, id: patchset }) },
	{
		name: 'updatePatchset',
		endpoint: listEndpoints.updatePatchset,
		params: ({ patchset }) => ({ ...list, id: patchset }),
		body: { status: 'applied' },
	},
];

/** Every row of 4.1 with `:email-id`. */
const mailRows = (['email', 'emailOfUser', 'thread', 'threadOfUser'] as const).map((name) => ({
	name,
	endpoint: listEndpoints[name] satisfies Endpoint<string, unknown>,
}));

/** Names in paths exist only in REST. */
contractSuite('names in the lists area', {}, ({ forge }) => {
	let sample: Sample;

	suiteSetup(async () => {
		const { lists } = forge().as('alice');
		const ref = { owner: '~alice', name: 'lantern-devel' };
		const [patchset] = await allItems(lists.patchsets(ref, wanted()));
		const mail = (await allItems(lists.posts(ref, wanted()))).find(({ threadId }) => threadId === undefined);
		assert.ok(patchset && mail);
		sample = { patchset: patchset.id, mail };
	});

	for (const { name, endpoint, params, body } of userRows) {
		test(`${name} accepts a user as ~name and as an e-mail address`, async () => {
			const { sample: server } = forge();
			const { call } = forge().caller('alice', '~somebody-else');
			const answers: unknown[] = [];
			await server.forgetRequests();
			for (const owner of ['~alice', 'alice@forge.test']) {
				const given = { params: params(sample), owner, ...(body === undefined ? {} : { body }), signal: wanted() };
				answers.push(withoutUpdated(await call(endpoint, given)));
			}
			assert.deepEqual(answers[1], answers[0]);
			const paths = (await server.requests()).map(({ path }) => path);
			assert.ok(paths[0]?.includes('/~alice') && paths[1]?.includes('/alice%40forge.test'));
		});
	}

	test('subscribing accepts a user as ~name and as an e-mail address', async () => {
		const { lists } = forge().as('erin');
		for (const owner of ['~alice', 'alice@forge.test']) {
			const made = await lists.subscribe({ owner, name: 'lantern-users' }, wanted());
			assert.equal(made.list.owner.canonicalName, '~alice');
			await lists.unsubscribe(made, wanted());
		}
	});

	for (const { name, endpoint } of mailRows) {
		test(`${name} accepts a mail by its number and by its Message-ID`, async () => {
			const { sample: server } = forge();
			const { call } = forge().caller('alice', '~somebody-else');
			const row: Endpoint<string, unknown> = endpoint;
			const answers: unknown[] = [];
			await server.forgetRequests();
			for (const id of [sample.mail.id, sample.mail.messageId]) {
				const given = { params: { 'email-id': id }, owner: '~alice', signal: wanted() };
				answers.push(await call(row, given));
			}
			assert.deepEqual(answers[1], answers[0]);
			const last = (await server.requests()).at(-1)?.path;
			assert.ok(last?.endsWith(`/${encodeURIComponent(sample.mail.messageId)}`) && last.includes('%3C'));
		});
	}
});

/** Setting the status twice changes `updated` twice. */
function withoutUpdated(answer: unknown): unknown {
	return typeof answer === 'object' && answer !== null ? { ...answer, updatedMs: 0 } : answer;
}
