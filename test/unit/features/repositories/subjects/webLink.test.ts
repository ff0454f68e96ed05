import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { pastedRepository } from 'sourcehut/web/readAddress.ts';
import { counts, seed } from '../../../../support/counts.ts';
import {
	fakeStore,
	quill,
	quillWorld,
	repositoryConnection,
	repositoryConnections,
} from '../../../../support/fakeRepositories.ts';

const { webLink } = await import('../../../../../src/features/repositories/subjects/webLink.ts');

const git = 'https://git.forge.test';
const connection = repositoryConnection(fakeStore(quillWorld()));
const connections = repositoryConnections(connection);
const within = { connectionKey: connection.key, ref: quill };

function link(subject: object): string | undefined {
	return webLink(connections, { ...within, ...subject });
}

suite('web URLs of repositories', () => {
	test('follow the forge’s own routes', () => {
		assert.equal(link({ kind: 'repository' }), `${git}/~alice/quill`);
		assert.equal(link({ kind: 'reference', revision: 'feature/x' }), `${git}/~alice/quill/tree/feature/x`);
		assert.equal(link({ kind: 'reference', revision: 'HEAD' }), `${git}/~alice/quill`);
		assert.equal(
			link({ kind: 'folder', at: { ref: 'main', path: 'src/deep' } }),
			`${git}/~alice/quill/tree/main/item/src/deep`,
		);
		assert.equal(
			link({ kind: 'file', at: { ref: 'main', path: 'näme #1?.txt' } }),
			`${git}/~alice/quill/tree/main/item/n%C3%A4me%20%231%3F.txt`,
		);
		assert.equal(link({ kind: 'commit', id: '0123' }), `${git}/~alice/quill/commit/0123`);
	});

	test('of a changed file lead to its commit, and of a deleted one to the commit before', () => {
		const change = { kind: 'change', before: 'b'.repeat(40), after: 'a'.repeat(40), path: 'src/main.c' };
		const item = `${git}/~alice/quill/tree/${'a'.repeat(40)}/item/src/main.c`;
		assert.equal(link(change), item);
		assert.equal(link({ ...change, isGone: true }), item.replaceAll('a'.repeat(40), 'b'.repeat(40)));
		assert.equal(link({ ...change, before: undefined }), item);
		assert.equal(link({ ...change, path: '../../x' }), undefined);
	});

	test('of a submodule lead to its parent folder, since the forge has no page for it', () => {
		const at = (path: string): object => ({ kind: 'submodule', at: { ref: 'main', path } });
		assert.equal(link(at('lib/vendored')), `${git}/~alice/quill/tree/main/item/lib`);
		assert.equal(link(at('vendored')), `${git}/~alice/quill/tree/main`);
	});

	test('of a release file lead to the page of its tag', () => {
		const artifact = { kind: 'artifact', tag: 'refs/tags/release/v1 #2', filename: 'quill.tar.gz' };
		assert.equal(link(artifact), `${git}/~alice/quill/refs/release/v1%20%232`);
		assert.equal(link({ ...artifact, tag: 'refs/tags/../x' }), undefined);
	});

	test('exist for rows and open documents, but not for foreign subjects', () => {
		const row = { id: 'x', item: {}, subject: { ...within, kind: 'repository' } };
		assert.equal(webLink(connections, row), `${git}/~alice/quill`);
		const uri = { scheme: 'forge', authority: connection.key, path: '/~alice/quill@main/README.md' };
		assert.equal(webLink(connections, uri), `${git}/~alice/quill/tree/main/item/README.md`);
		assert.equal(webLink(connections, { ...uri, authority: 'gone.sample' }), undefined);
		assert.equal(webLink(connections, { kind: 'ticket', ...within }), undefined);
		assert.equal(webLink(connections, undefined), undefined);
	});

	test('never leave the forge’s origin or climb out of the repository', () => {
		const text = fc.oneof(
			fc.constantFrom('..', '../..', '//evil.test', '@evil', '%2e%2e', '?x', '#x', '\\'),
			fc.string(),
		);
		fc.assert(
			fc.property(text, text, (ref, path) => {
				const address = link({ kind: 'file', at: { ref, path } });
				const isDotted = [...ref.split('/'), ...path.split('/')].some((step) => step === '.' || step === '..');
				assert.equal(address === undefined, isDotted);
				const url = new URL(address ?? `${git}/~alice/quill/tree/`);
				assert.equal(url.origin, git);
				assert.ok(url.pathname.startsWith('/~alice/quill/tree/'), url.pathname);
				assert.equal(url.search + url.hash, '');
			}),
			{ numRuns: counts({ small: 500, full: 50_000 }), seed: seed() },
		);
	});
});

suite('pasted repositories', () => {
	test('are valid as references, web URLs and clone URLs', () => {
		for (const text of [
			'~alice/quill',
			' ~alice/quill ',
			`${git}/~alice/quill`,
			`${git}/%7Ealice/quill/tree/main/item/src#L4`,
			'git@git.forge.test:~alice/quill',
			'ssh://git@git.forge.test/~alice/quill',
		]) {
			assert.deepEqual(pastedRepository(text, git), quill, text);
		}
	});

	test('are invalid with another host or in another form', () => {
		for (const text of [
			'quill',
			'alice/quill',
			'~alice/quill/tree',
			'https://git.forge.test.evil.test/~alice/quill',
			'https://evil.test/~alice/quill',
			'http://git.forge.test/~alice/quill',
			'git@evil.test:~alice/quill',
			`${git}/~alice`,
			`${git}/%E0%A4%A`,
			'',
		]) {
			assert.equal(pastedRepository(text, git), undefined, text);
		}
	});
});
