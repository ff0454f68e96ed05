import assert from 'node:assert/strict';
import { mailboxSite, mailUrl, readArchivePlace, searchPath, threadUrl } from 'public-inbox/read/archivePlace.ts';

suite('places of archives', () => {
	const mail = (inboxUrl: string, messageId: string) => ({ kind: 'mail', inboxUrl, messageId });
	const place = (url: string, query?: string) => ({ kind: 'place', url, query });
	const cases: readonly (readonly [string, unknown])[] = [
		['https://lore.example/', place('https://lore.example/')],
		['https://lore.example', place('https://lore.example/')],
		['https://lore.example/git', place('https://lore.example/git/')],
		['https://lore.example/git/?q=s%3Ax+y&o=200', place('https://lore.example/git/', 's:x y')],
		['https://lore.example/git/?t=20260101000000', place('https://lore.example/git/')],
		['https://lore.example/git/new.atom', place('https://lore.example/git/')],
		['https://lore.example/git/_/text/help/', place('https://lore.example/git/')],
		['https://lore.example/git/1', place('https://lore.example/git/')],
		['https://lore.example/git/git/0.git', place('https://lore.example/git/')],
		['https://lore.example/below/git/', place('https://lore.example/below/git/')],
		['https://lore.example/git/1@x.example/', mail('https://lore.example/git/', '<1@x.example>')],
		['https://lore.example/git/1@x.example/T/#u', mail('https://lore.example/git/', '<1@x.example>')],
		['https://lore.example/git/a%2Fb%25c@x/t.mbox.gz', mail('https://lore.example/git/', '<a/b%c@x>')],
		['https://lore.example/git/100%@x/', mail('https://lore.example/git/', '<100%@x>')],
		['https://lore.example/git/%3C1@x%3E/raw', mail('https://lore.example/git/', '<1@x>')],
		['https://lore.example/r/1@x', mail('https://lore.example/r/', '<1@x>')],
		['https://lore.example/1@x/', mail('https://lore.example/', '<1@x>')],
		['<https://lore.example/1@x/>', mail('https://lore.example/', '<1@x>')],
		['mid:a/b@x', { kind: 'messageId', messageId: '<a/b@x>' }],
		[' HTTPS://Lore.Example/git/ ', place('https://lore.example/git/')],
		['http://lore.example/git/', place('http://lore.example/git/')],
		['<http://lore.example/git/>', place('http://lore.example/git/')],
		['https://lore.example/git/?q=', place('https://lore.example/git/')],
		['https://lore.example/git/?q=+', place('https://lore.example/git/')],
		['https://lore.example/git/?q=+a@b+', place('https://lore.example/git/', 'a@b')],
		['https://lore.example//git///', place('https://lore.example/git/')],
		['https://lore.example/git/new.html', place('https://lore.example/git/')],
		['https://lore.example/git/manifest.js.gz', place('https://lore.example/git/')],
		['https://lore.example/git/description', place('https://lore.example/git/')],
		['https://lore.example/git/all.mbox.gz', place('https://lore.example/git/')],
		['https://lore.example/git/topics_active.html', place('https://lore.example/git/')],
		['https://lore.example/git/12/info/refs', place('https://lore.example/git/')],
		['https://lore.example/git/12.git', place('https://lore.example/git/')],
		['https://lore.example/git/git/12.git/HEAD', place('https://lore.example/git/')],
		['https://lore.example/git/git/x0.git', place('https://lore.example/git/git/x0.git/')],
		['https://lore.example/git/git/0.gitx', place('https://lore.example/git/git/0.gitx/')],
		['https://lore.example/git/x/0.git', place('https://lore.example/git/x/')],
		['https://lore.example/git/x1', place('https://lore.example/git/x1/')],
		['https://lore.example/git/1x', place('https://lore.example/git/1x/')],
		['https://lore.example/git/new-atom', place('https://lore.example/git/new-atom/')],
		// The first step is an inbox, whatever its name.
		['https://lore.example/description/', place('https://lore.example/description/')],
		['https://lore.example/git/git/', place('https://lore.example/git/git/')],
		['https://lore.example/0', place('https://lore.example/0/')],
		['https://lore.example/all/%ZZ/1@x/', mail('https://lore.example/all/%ZZ/', '<1@x>')],
		['https://name:secret@lore.example/git/', undefined],
		['https://name@lore.example/git/', undefined],
		['https://:secret@lore.example/git/', undefined],
		['see https://lore.example/git/', undefined],
		['<https://lore.example/git/>x', undefined],
		['view-source:https://lore.example/git/', undefined],
		[mailboxSite, undefined],
		['ftp://lore.example/', undefined],
		['https://', undefined],
		['some words', undefined],
	];
	for (const [text, expected] of cases) {
		test(text, () => assert.deepEqual(readArchivePlace(text), expected));
	}

	test('addresses lead back to their mails', () => {
		for (const messageId of ['<a/b%c"?#&+@x>', '<..@x>', '<1@x>']) {
			for (const url of [mailUrl, threadUrl].map((make) => make('https://lore.example/git/', messageId))) {
				assert.deepEqual(readArchivePlace(url), mail('https://lore.example/git/', messageId));
			}
		}
	});

	test('a search keeps its text', () => {
		const query = 's:"a & b" +c;d %41 #e';
		const path = searchPath(query, { from: 7, rows: 9 });
		assert.doesNotMatch(path, /[;#" ]/);
		const read = new URL(path, 'https://lore.example/git/').searchParams;
		assert.deepEqual([read.get('q'), read.get('o'), read.get('l')], [query, '7', '9']);
		assert.equal(read.has('x'), false);
		assert.equal(searchPath('x', { from: 0, rows: 9 }), '?q=x&l=9');
		assert.equal(searchPath('x', { from: 1, rows: 9, asFeed: true }), '?q=x&x=A&l=9&o=1');
	});
});
