import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { fake } from '../../../../support/fake.ts';
import { replyName, thanksName } from '../../../../../src/store/drafts/drafts.ts';
import type { DocumentSubject } from '../../../../../src/features/tickets/drafts/draftSubject.ts';

const vscode = await import('vscode');
const { draftOfUri, draftUri, isDraftAt } = await import('../../../../../src/features/tickets/drafts/draftUri.ts');
const { nameComplaint } = await import('../../../../../src/editor/owned/newOwned.ts');
const { trackerKind } = await import('../../../../../src/features/tickets/subjects/trackerKind.ts');

const tracker = { owner: '~alice', name: 'lantern' };
const suggested: DocumentSubject = {
	kind: 'review',
	connectionKey: 'sample-alice',
	ref: { list: tracker, id: 7 },
	part: { kind: 'suggestedFile', document: 'forge-patch://sample-alice/src/fold.c?{"mail":21}' },
};
const subjects: readonly DocumentSubject[] = [
	{ kind: 'newTicket', connectionKey: 'sample-alice', tracker, name: 'a1' },
	{ kind: 'description', connectionKey: 'sample-alice', tracker },
	{ kind: 'listDescription', connectionKey: 'sample-alice', ref: tracker },
	{ kind: 'repositoryDescription', connectionKey: 'sample-alice', ref: tracker },
	{ kind: 'mail', connectionKey: 'sample-alice', ref: tracker, answers: 31, name: 'reply' },
	{ kind: 'mail', connectionKey: 'sample-alice', ref: tracker, answers: 31, name: 'Bob Rivers' },
	{ kind: 'mail', connectionKey: 'sample-alice', ref: tracker, answers: 31, name: replyName('thanks') },
	{ kind: 'mail', connectionKey: 'sample-alice', ref: tracker, answers: 31, name: thanksName },
	{ kind: 'mail', connectionKey: 'sample-alice', ref: tracker, answers: undefined, name: 'a1' },
	{
		kind: 'review',
		connectionKey: 'sample-alice',
		ref: { list: tracker, id: 7 },
		part: { kind: 'comment', id: 'a1', place: { kind: 'mail', messageId: '<a/b?c#d@forge.test>' } },
	},
	{
		kind: 'review',
		connectionKey: 'sample-alice',
		ref: { list: tracker, id: 7 },
		part: { kind: 'mail', messageId: '<a/b?c#d@forge.test>' },
	},
	suggested,
	// Names that equal parts of the URIs.
	{ kind: 'description', connectionKey: 'sample-alice', tracker: { owner: '~list', name: 'repository' } },
	{ kind: 'listDescription', connectionKey: 'sample-alice', ref: { owner: '~repository', name: 'list' } },
];

suite('draft URIs', () => {
	test('a URI leads back to its subject and ends with the tab title', () => {
		for (const about of subjects) {
			assert.deepEqual(draftOfUri(draftUri(about)), about);
		}
		assert.deepEqual(
			subjects.map((about) => draftUri(about).path.split('/').at(-1)),
			[
				'New ticket in lantern',
				'Description of lantern',
				'Description of list lantern',
				'Description of repository lantern',
				'Reply in lantern',
				'Reply to Bob Rivers',
				'Reply in lantern',
				'Thanks in lantern',
				'New message to lantern',
				'Comment on patchset 7',
				'Message on patchset 7',
				'fold.c',
				'Description of repository',
				'Description of list list',
			],
		);
	});

	test('the path has only what a reader understands, because the editor shows it above the text', () => {
		const paths = subjects.filter((about) => about !== suggested).map((about) => draftUri(about).path);
		assert.deepEqual(paths.slice(0, 6), [
			'/Forge Desk/~alice/lantern/New ticket in lantern',
			'/Forge Desk/~alice/lantern/Description of lantern',
			'/Forge Desk/~alice/lantern/Description of list lantern',
			'/Forge Desk/~alice/lantern/Description of repository lantern',
			'/Forge Mail/~alice/lantern/Reply in lantern',
			'/Forge Mail/~alice/lantern/Reply to Bob Rivers',
		]);
		paths.forEach((path) => assert.match(path, /^\/Forge (?:Desk|Mail)\/~[a-z]+\/[a-z]+\/[^/]+$/));
	});

	test('a URI of 0.1.0, which a restored tab may have, leads to its draft', () => {
		const part = { kind: 'mail', messageId: '<a/b?c#d@forge.test>' };
		const earlier = [
			['forge-new', '/.forge-new/~alice/lantern/a1/New ticket in lantern'],
			['forge-description', '/.forge-new/~alice/lantern/Description of lantern'],
			['forge-description', '/.forge-new/~alice/lantern/list/Description of list lantern'],
			['forge-description', '/.forge-new/~alice/lantern/repository/Description of repository lantern'],
			['forge-reply', '/.forge-reply/~alice/lantern/31/reply/Reply in lantern'],
			['forge-reply', '/.forge-reply/~alice/lantern/31/Bob Rivers/Reply to Bob Rivers'],
			['forge-reply', '/.forge-reply/~alice/lantern/new/a1/New message to lantern'],
			['forge-reply', '/.forge-reply/~alice/lantern/review/7/Message on patchset 7', JSON.stringify(part)],
		].map(([scheme, path, query = '']) =>
			vscode.Uri.from({ scheme: scheme!, authority: 'sample-alice', path: path!, query }),
		);
		const wanted = [0, 1, 2, 3, 4, 5, 8, 10].map((at) => subjects[at]!);
		assert.deepEqual(earlier.map(draftOfUri), wanted);
		for (const [at, uri] of earlier.entries()) {
			assert.ok(isDraftAt(uri, wanted[at]!));
			assert.ok(!isDraftAt(uri, wanted[(at + 1) % wanted.length]!));
			// Neither form reads the other's fields.
			const { scheme, authority, path } = draftUri(wanted[at]!);
			assert.equal(draftOfUri(vscode.Uri.from({ scheme, authority, path, query: '' })), undefined);
		}
	});

	test('the URI of a suggested file has only its path, and a malformed URI is no draft', () => {
		const { path, scheme } = draftUri(suggested);
		assert.deepEqual([scheme, path], ['forge-suggestion', '/src/fold.c']);
		const { authority, query } = draftUri(suggested);
		for (const other of ['{}', '[]', '', query.replace('owner', 'other'), query.replace('suggestedFile', 'comment')]) {
			assert.equal(draftOfUri(fake({ scheme, authority, path, query: other })), undefined, other);
		}
		assert.equal(draftOfUri(fake({ scheme: 'forge-reply', authority, path, query })), undefined);
	});

	test('names that the editor probes beside a draft are no drafts', () => {
		for (const path of [
			'/.editorconfig',
			'/Forge Desk/~alice/lantern/.editorconfig',
			'/Forge Desk/~alice/.editorconfig',
			'/.forge-new/~alice/lantern/a1/.editorconfig',
			'/.forge-new/~alice',
		]) {
			const { query } = draftUri(subjects[0]!);
			assert.equal(draftOfUri(fake({ scheme: 'forge-new', authority: 'sample-alice', path, query })), undefined);
		}
		for (const about of subjects) {
			const { authority, path, query } = draftUri(about);
			assert.equal(draftOfUri(fake({ scheme: 'forge-patch', authority, path, query })), undefined);
		}
		const { path } = draftUri(subjects[0]!);
		assert.equal(draftOfUri(fake({ scheme: 'file', authority: '', path, query: '' })), undefined);
	});
});

suite('tracker names', () => {
	test('follow the rules observed on servers', () => {
		for (const name of ['a', 'Lantern-2.0_x', 'a'.repeat(255)]) {
			assert.equal(nameComplaint(trackerKind, name, ['other']), undefined, name);
		}
		for (const name of ['', '1abc', 'a b', 'a/b', 'ä', '-a', 'a'.repeat(256), 'OTHER']) {
			assert.notEqual(nameComplaint(trackerKind, name, ['other']), undefined, name);
		}
	});
});
