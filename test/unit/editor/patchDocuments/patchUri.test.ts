import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fieldsOf } from '../../../../src/base/lenientJson.ts';
import { plainHostileTexts } from '../../../support/hostileTexts.ts';

const { patchUri, placeOfPatchUri, shownPath } = await import('../../../../src/editor/patchDocuments/patchUri.ts');
const { subjectOfPatchPlace } = await import('../../../../src/features/lists/subjects/subjects.ts');

const place = {
	connectionKey: 'sample-alice',
	list: { owner: '~alice', name: 'quill-devel' },
	patchsetId: 3,
	mailId: 12,
	view: { kind: 'before', fileIndex: 0 },
} as const;

suite('addresses of patched files', () => {
	test('lead back to their place', () => {
		for (const each of [
			place,
			{ ...place, patchsetId: undefined },
			{ ...place, list: { owner: 'we&you=us@forge.test', name: 'a?b' } },
			{ ...place, view: { kind: 'asItCame', fileIndex: 7 } },
			{ ...place, view: { kind: 'wholeBefore', fileIndex: 0, content: 'a'.repeat(40), repository: undefined } },
			{
				...place,
				view: { kind: 'wholeAfter', fileIndex: 2, content: '0'.repeat(40), repository: { owner: '~bob', name: 'q' } },
			},
			{ ...place, view: { kind: 'raw' } },
		] as const) {
			assert.deepEqual(placeOfPatchUri(patchUri(each, 'src/main.c')), each);
		}
	});

	test('have the path of the file, so that the editor knows its language', () => {
		const { scheme, authority, path } = patchUri(place, 'src/main.c');
		assert.deepEqual([scheme, authority, path], ['forge-patch', 'sample-alice', '/src/main.c']);
	});

	test('contain the patch’s number for the multi-file editor, and keep the same place', () => {
		const uri = patchUri(place, 'src/main.c', '2/4');
		assert.deepEqual(placeOfPatchUri(uri), place);
		// The only query format from which the editor reads parts.
		assert.match(uri.query, /^\{.*"in":" \(2\u22154\)"\}$/);
		const manifest: unknown = JSON.parse(readFileSync('package.json', 'utf8'));
		const declared = fieldsOf(fieldsOf(manifest)['contributes'])['resourceLabelFormatters'];
		const formatters: readonly unknown[] = Array.isArray(declared) ? declared : [];
		const ours = formatters.find((each) => fieldsOf(each)['scheme'] === uri.scheme);
		assert.equal(fieldsOf(fieldsOf(ours)['formatting'])['label'], '${path}${query.in}');
	});

	test('of other schemes or with a missing part lead nowhere', () => {
		const { scheme, authority, query } = patchUri(place, 'a');
		assert.equal(placeOfPatchUri({ scheme: 'forge-mail', authority, query }), undefined);
		for (const bad of ['', '{"mail":12}', query.replace(':12,', ':0,'), query.replace('"file":0', '"file":-1')]) {
			assert.equal(placeOfPatchUri({ scheme, authority, query: bad }), undefined, bad);
		}
		for (const bad of ['"12"', '1.5', '1e99', 'null', '[]']) {
			assert.equal(placeOfPatchUri({ scheme, authority, query: query.replace(':12,', `:${bad},`) }), undefined, bad);
		}
		assert.equal(placeOfPatchUri({ scheme, authority, query: query.replace('before', 'elsewhere') }), undefined);
	});

	test('paths have no parent, empty, hidden or overlong step', () => {
		assert.equal(shownPath('../../etc/passwd'), '/⟨..⟩/⟨..⟩/etc/passwd');
		assert.equal(shownPath('/abs//./x'), '/abs/⟨.⟩/x');
		assert.equal(shownPath(''), '/⟨⟩');
		assert.equal(shownPath('a\\..\\b'), '/a\u2216..\u2216b');
		assert.equal(shownPath('src/gpj.\u202Egnp.c'), '/src/gpj.⟨U+202E⟩gnp.c');
		assert.equal(shownPath(`${'x'.repeat(5000)}.rs`), `/…${'x'.repeat(97)}.rs`);
		for (const text of plainHostileTexts) {
			const steps = shownPath(text).split('/').slice(1);
			assert.ok(
				steps.every((step) => step !== '' && step !== '.' && step !== '..' && !/[\\\0\n\r\u202E\u200B]/.test(step)),
				text,
			);
		}
	});

	test('a document’s subject is the file of the patch, and the raw document’s is its mail', () => {
		assert.deepEqual(subjectOfPatchPlace(place), {
			kind: 'patchFile',
			connectionKey: 'sample-alice',
			list: place.list,
			patchsetId: 3,
			mailId: 12,
			fileIndex: 0,
		});
		assert.equal(subjectOfPatchPlace({ ...place, view: { kind: 'raw' } }).kind, 'mail');
	});
});
