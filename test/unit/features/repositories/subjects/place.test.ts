import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { EntryPlace, Place } from '../../../../../src/features/repositories/subjects/place.ts';
import { isSafeName } from '../../../../../src/store/repositories/repositoryEntries.ts';
import { counts, seed } from '../../../../support/counts.ts';

const { pathOfPlace, pathOfSide, placeOfPath, placeOfSide } =
	await import('../../../../../src/features/repositories/subjects/place.ts');
const { repositoriesSubject } = await import('../../../../../src/features/repositories/subjects/subjects.ts');

const connectionKey = 'alice.sample';
const ref = { owner: '~alice', name: 'quill' };
const rounds = { numRuns: counts({ small: 1000, full: 50_000 }), seed: seed() };

function entry(revision: string, path: string): EntryPlace {
	return { kind: 'entry', connectionKey, ref, at: { ref: revision, path } };
}

const hostile = fc.oneof(
	fc.constantFrom(
		'..',
		'.',
		'%2F',
		'%',
		'/',
		'//',
		'\\',
		'.commits',
		'.git',
		'\0',
		'\n',
		'?',
		'#',
		'~',
		'^',
		'∕',
		'a b',
		'\u202E',
	),
	fc.constantFrom(
		'feature/x',
		'-rf',
		'^u202E',
		'^u2215',
		'%252F',
		'\uD800',
		'e\u0301',
		'é',
		'C:',
		':',
		'@{1}',
		'+',
		'&',
		'😀',
	),
	fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
);
const word = fc.array(hostile, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''));
const step = word.filter(isSafeName);

suite('URIs of places in repositories', () => {
	test('are readable for common names', () => {
		assert.equal(pathOfPlace(entry('main', '')), '/~alice/quill@main');
		assert.equal(pathOfPlace(entry('feature/x', 'src/näme x.c')), '/~alice/quill@feature∕x/src/näme x.c');
		assert.equal(pathOfPlace({ ...entry('v1@2', ''), ref: { owner: '~alice', name: 'a@b' } }), '/~alice/a^40b@v1@2');
		assert.equal(pathOfPlace(entry('v1.0', '100%/#a?.txt')), '/~alice/quill@v1.0/100%/#a?.txt');
		assert.equal(
			pathOfPlace({ kind: 'commit', connectionKey, ref, id: '0123456789' }),
			'/~alice/quill/.commits/0123456789/Commit 0123456',
		);
	});

	test('are equal for both sides of a comparison, and lead back with the revision', () => {
		assert.equal(pathOfSide(entry('v1.0', 'src/main.c')), '/~alice/quill/src/main.c');
		fc.assert(
			fc.property(word, word, word, fc.array(step, { minLength: 1, maxLength: 6 }), (owner, name, revision, steps) => {
				const place: EntryPlace = { ...entry(revision, steps.join('/')), ref: { owner, name } };
				const path = pathOfSide(place);
				assert.deepEqual(placeOfSide(connectionKey, path, revision), place);
				assert.equal(path, pathOfSide({ ...place, at: { ...place.at, ref: 'another' } }));
			}),
			rounds,
		);
		for (const path of [
			'',
			'/',
			'/~alice',
			'/~alice/quill',
			'~alice/quill/a',
			'/~alice/quill/../a',
			'/~alice/quill//a',
			'/~alice/quill@main/a',
		]) {
			assert.equal(placeOfSide(connectionKey, path, 'v1.0'), undefined, path);
		}
		assert.deepEqual(
			repositoriesSubject({
				scheme: 'forge',
				authority: connectionKey,
				path: '/~alice/quill/src/main.c',
				query: 'v1.0',
			}),
			{ kind: 'file', connectionKey, ref, at: { ref: 'v1.0', path: 'src/main.c' } },
		);
	});

	test('lead back to the same place, whatever its names contain', () => {
		fc.assert(
			fc.property(word, word, word, fc.array(step, { maxLength: 6 }), (owner, name, revision, steps) => {
				const place: Place = {
					kind: 'entry',
					connectionKey,
					ref: { owner, name },
					at: { ref: revision, path: steps.join('/') },
				};
				const path = pathOfPlace(place);
				assert.deepEqual(placeOfPath(connectionKey, path), place);
				assert.ok(path.isWellFormed(), 'it can be written into a URI');
				const segments = path.slice(1).split('/');
				assert.equal(segments.length, 2 + steps.length);
				assert.ok(segments.every((segment) => segment !== '.' && segment !== '..' && segment !== ''));
			}),
			rounds,
		);
	});

	test('survive one decoding too many', () => {
		fc.assert(
			fc.property(word, word, word, (owner, name, revision) => {
				const path = pathOfPlace({ ...entry(revision, ''), ref: { owner, name } });
				assert.equal(decodeURIComponent(path), path);
			}),
			rounds,
		);
	});

	test('of commits lead back, too, and are never entries', () => {
		fc.assert(
			fc.property(word, word, word, (owner, name, id) => {
				const place: Place = { kind: 'commit', connectionKey, ref: { owner, name }, id };
				assert.deepEqual(placeOfPath(connectionKey, pathOfPlace(place)), place);
				assert.equal(
					placeOfPath(connectionKey, pathOfPlace({ ...entry('.commits', ''), ref: { owner, name } }))?.kind,
					'entry',
				);
			}),
			rounds,
		);
	});

	test('have one spelling for each place', () => {
		const path = fc.array(fc.oneof(word, fc.constantFrom('', '.', '..', '^41', '^2f', '^2F', '%41')), { maxLength: 7 });
		fc.assert(
			fc.property(path, (segments) => {
				const text = `/${segments.join('/')}`;
				const place = placeOfPath(connectionKey, text);
				if (place?.kind === 'entry') {
					assert.equal(pathOfPlace(place), text.replace(/\/$/, ''));
				}
			}),
			rounds,
		);
	});

	test('are invalid when they climb, repeat slashes or name no file', () => {
		for (const path of [
			'',
			'/',
			'/~alice',
			'/~alice/quill',
			'/~alice/quill@main/../x',
			'/~alice/quill@main/./x',
			'/~alice/quill@main//x',
			'/~alice/quill@main//',
			'/~alice/quill@main/x//',
			'/~alice/quill@main/.git/config',
			'/~alice/quill@main/a\\b',
			'/~alice/quill@^2e^2e/x',
			'/~alice/quill/.commits',
			'/~alice/quill/.commits/0123456',
			`/~alice/quill@main/${'d/'.repeat(70)}x`,
			'~alice/quill@main',
		]) {
			assert.equal(placeOfPath(connectionKey, path), undefined, path);
		}
	});

	test('of open documents are subjects of commands', () => {
		const uri = (path: string): object => ({ scheme: 'forge', authority: connectionKey, path });
		assert.deepEqual(repositoriesSubject(uri('/~alice/quill@feature∕x/src/main.c')), {
			kind: 'file',
			connectionKey,
			ref,
			at: { ref: 'feature/x', path: 'src/main.c' },
		});
		assert.equal(repositoriesSubject(uri('/~alice/quill@main'))?.kind, 'reference');
		assert.equal(repositoriesSubject(uri('/~alice/quill/.commits/0123/Commit 0123'))?.kind, 'commit');
		assert.equal(
			repositoriesSubject({ scheme: 'file', authority: connectionKey, path: '/~alice/quill@main' }),
			undefined,
		);
		assert.equal(repositoriesSubject({ kind: 'file', connectionKey, ref, at: { ref: 1 } }), undefined);
		assert.equal(repositoriesSubject({ kind: 'ticket', connectionKey, ref }), undefined);
	});
});
