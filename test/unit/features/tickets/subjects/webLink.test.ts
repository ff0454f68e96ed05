import assert from 'node:assert/strict';
import { webLink } from '../../../../../src/features/tickets/subjects/webLink.ts';
import { fakeConnection, fakeConnections, sampleInstance } from '../../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../../support/fakeForge.ts';
import { webAddress } from '../../../../../src/editor/links/webOf.ts';
import { pastedReference } from 'sourcehut/web/readAddress.ts';

const todo = sampleInstance.areas.todo;
const tracker = { owner: '~bob', name: 'beta' };

suite('web links of tickets', () => {
	const connections = fakeConnections(fakeConnection(fakeTrackers().api));
	const connectionKey = 'sample-alice';

	test('exist for trackers, tickets and entries', () => {
		assert.equal(webLink(connections, { kind: 'tracker', connectionKey, ref: tracker }), `${todo}/~bob/beta`);
		const ref = { tracker, id: 3 };
		assert.equal(webLink(connections, { kind: 'ticket', connectionKey, ref }), `${todo}/~bob/beta/3`);
		assert.equal(webAddress(sampleInstance, { kind: 'ticket', ref: ref, event: 7 }), `${todo}/~bob/beta/3#event-7`);
	});

	test('use the subject of a row', () => {
		const row = { id: 'x', item: {}, parent: undefined, subject: { kind: 'tracker', connectionKey, ref: tracker } };
		assert.equal(webLink(connections, row), `${todo}/~bob/beta`);
	});

	test('are missing for other or malformed subjects and for removed accounts', () => {
		for (const subject of [
			undefined,
			'x',
			{ kind: 'list', connectionKey, ref: tracker },
			{ kind: 'ticket', connectionKey, ref: { tracker, id: 'x' } },
			{ kind: 'ticket', connectionKey, ref: { tracker, id: -1 } },
			{ kind: 'tracker', connectionKey: 'other', ref: tracker },
		]) {
			assert.equal(webLink(connections, subject), undefined);
		}
	});
});

suite('pasted references', () => {
	test('are valid as references and as URLs of the forge', () => {
		const forTracker = { kind: 'tracker', tracker };
		const forTicket = { kind: 'ticket', ticket: { tracker, id: 3 } };
		assert.deepEqual(pastedReference(' ~bob/beta ', todo), forTracker);
		assert.deepEqual(pastedReference(`${todo}/~bob/beta`, todo), forTracker);
		assert.deepEqual(pastedReference(`${todo}/%7Ebob/beta/`, todo), forTracker);
		assert.deepEqual(pastedReference('~bob/beta#3', todo), forTicket);
		assert.deepEqual(pastedReference(`${todo}/~bob/beta/3?x=1#event-5`, todo), forTicket);
	});

	test('are invalid in any other form', () => {
		for (const text of [
			'',
			'bob/beta',
			'~bob',
			'~bob/',
			'~bob/beta#0',
			'~bob/beta/x',
			'https://git.forge.test/~bob/beta',
			'https://todo.forge.test.evil.test/~bob/beta',
			`${todo}/%E0%A4%A`,
			'javascript:~bob/beta',
		]) {
			assert.equal(pastedReference(text, todo), undefined, text);
		}
	});
});
