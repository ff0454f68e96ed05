import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isOwnerName } from '../../../../../src/features/people/subjects.ts';
import type { Destination } from 'sourcehut/port/destination.ts';
import type { Reference } from 'sourcehut/port/repository.ts';
import { likelyReading, readingAmong, destinationOfReading } from 'sourcehut/web/repositoryWay.ts';
import { webDestination } from 'sourcehut/web/readAddress.ts';
import { isSafeName } from '../../../../../src/store/repositories/repositoryEntries.ts';
import { revisionOf } from '../../../../../src/store/repositories/repositoryReferences.ts';
import { counts, seed } from '../../../../support/counts.ts';
import { fakeConnections, sampleInstance } from '../../../../support/fakeConnection.ts';
import { standFor } from '../../../../support/standFor.ts';
import type { Connection } from '../../../../../src/store/connection.ts';

const { webLink } = await import('../../../../../src/features/repositories/subjects/webLink.ts');
const { webLink: ticketLink } = await import('../../../../../src/features/tickets/subjects/webLink.ts');
const { webLink: listLink } = await import('../../../../../src/features/lists/subjects/webLink.ts');
const { webLink: personLink } = await import('../../../../../src/features/people/webLink.ts');

const connection = standFor<Connection>({ key: 'alice.sample', instance: sampleInstance, me: '~alice' });
const connections = fakeConnections(connection);
const connectionKey = connection.key;
const runs = { numRuns: counts({ small: 1000, full: 50_000 }), seed: seed() };
const { git, lists } = sampleInstance.areas;

/** Destination of a URL in a repository with these references. */
function follow(address: string | undefined, references: readonly Reference[] = []): Destination | undefined {
	assert.ok(address !== undefined);
	const to = webDestination(new URL(address), sampleInstance);
	if (to?.kind !== 'inRepository') {
		return to;
	}
	const reading = readingAmong(to.way, new Set(references.map(({ name }) => name)));
	return destinationOfReading(to.ref, to.way, reading ?? likelyReading(to.way));
}

/** Path steps with a meaning in a URL, or with characters to escape. */
const words = (
	'item item item tree log blob commit rss.xml x.patch patches deadbeef HEAD ' +
	"100% %2F % a#b #L3 ?x=y a&b a+b ü e\u0301 \u202Egnp ~bob a@b ' ( :"
).split(' ');
const hostile = fc.oneof(
	fc.constantFrom(...words),
	fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
	fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }).filter((text) => text.isWellFormed()),
);
const isDotted = (text: string): boolean => text === '.' || text === '..';
const name = hostile.filter((text) => !text.includes('/') && !isDotted(text));
const owner = fc.oneof(
	name.map((text) => `~${text}`),
	name.map((text) => `${text}@forge.test`),
);
const ref = fc.tuple(owner, name).map(([whose, called]) => ({ owner: whose, name: called }));

/** Valid reference names of git (git-check-ref-format). */
const referenceStep = hostile.filter(
	(text) => !/[\p{Cc}\x7F ~^:?*[\\/]|\.\.|@\{|^\.|\.$|\.lock$|^@$/u.test(text) && text.isWellFormed(),
);
/** Excludes prefixes that git resolves before branches, since the pages of the forge do so, too. */
const referenceName = fc
	.array(referenceStep, { minLength: 1, maxLength: 4 })
	.map((steps) => steps.join('/'))
	.filter((text) => !/^(?:refs|heads|tags|remotes|HEAD(?=\/))(?:\/|$)/.test(text));

/** Git has no reference below another one of the same kind. */
const references = fc
	.array(fc.tuple(fc.constantFrom('refs/heads/', 'refs/tags/'), referenceName), { minLength: 1, maxLength: 6 })
	.map((all) => [...new Set(all.map(([prefix, text]) => `${prefix}${text}`))])
	.map((all) => all.filter((one) => !all.some((other) => one.startsWith(`${other}/`))))
	.map((all): readonly Reference[] => all.map((each) => ({ name: each, target: '0'.repeat(40) })));
const path = fc.array(hostile.filter(isSafeName), { minLength: 1, maxLength: 4 }).map((steps) => steps.join('/'));
const id = fc.stringMatching(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);
const lines = fc.option(
	fc.tuple(fc.integer({ min: 1, max: 99_999 }), fc.nat(500)).map(([first, more]) => ({ first, last: first + more })),
	{ nil: undefined },
);

suite('web URLs lead back to their subject', function () {
	this.timeout(600_000);
	test('references with any name', () => {
		fc.assert(
			fc.property(ref, references, fc.nat(), (where, all, at) => {
				const reference = all[at % all.length];
				assert.ok(reference);
				const subject = { kind: 'reference', ref: where, revision: revisionOf(reference, all) } as const;
				assert.deepEqual(follow(webLink(connections, { connectionKey, ...subject }), all), subject);
			}),
			runs,
		);
	});

	test('files and folders at any reference, with lines', () => {
		fc.assert(
			fc.property(ref, references, fc.nat(), path, lines, (where, all, at, below, marked) => {
				const reference = all[at % all.length];
				assert.ok(reference);
				const place = { ref: revisionOf(reference, all), path: below };
				const link = webLink(connections, { kind: 'file', connectionKey, ref: where, at: place, lines: marked });
				assert.deepEqual(follow(link, all), { kind: 'file', ref: where, at: place, lines: marked });
				const folder = webLink(connections, { kind: 'folder', connectionKey, ref: where, at: place });
				assert.deepEqual(follow(folder, all), { kind: 'file', ref: where, at: place, lines: undefined });
			}),
			runs,
		);
	});

	test('files of a commit, without known references', () => {
		fc.assert(
			fc.property(ref, id, path, lines, (where, commit, below, marked) => {
				const at = { ref: commit, path: below };
				const link = webLink(connections, { kind: 'file', connectionKey, ref: where, at, lines: marked });
				assert.equal(webDestination(new URL(link ?? ''), sampleInstance)?.kind, 'file');
				assert.deepEqual(follow(link), { kind: 'file', ref: where, at, lines: marked });
				for (const page of ['blob', 'blame']) {
					const raw = link?.replace(`/tree/${commit}/item/`, `/${page}/${commit}/`);
					assert.deepEqual(follow(raw), { kind: 'file', ref: where, at, lines: marked });
				}
			}),
			runs,
		);
	});

	test('raw text and blame at references with slashes', () => {
		fc.assert(
			fc.property(ref, references, fc.nat(), path, (where, all, nth, below) => {
				const reference = all[nth % all.length];
				assert.ok(reference);
				const at = { ref: revisionOf(reference, all), path: below };
				const root = `${git}/${[where.owner, where.name].map(encodeURIComponent).join('/')}`;
				const way = `${at.ref}/${at.path}`.split('/').map(encodeURIComponent).join('/');
				for (const page of ['blob', 'blame', 'tree']) {
					// Forges before 2020-12 have no `item` step, so the path must not start with one.
					if (page !== 'tree' || !/^item(?:\/|$)/.test(below)) {
						assert.deepEqual(follow(`${root}/${page}/${way}`, all), {
							kind: 'file',
							ref: where,
							at,
							lines: undefined,
						});
					}
				}
			}),
			runs,
		);
	});

	test('repositories and commits', () => {
		fc.assert(
			fc.property(ref, id, (where, commit) => {
				const repository = { kind: 'repository', ref: where } as const;
				assert.deepEqual(follow(webLink(connections, { connectionKey, ...repository })), repository);
				const head = webLink(connections, { kind: 'reference', connectionKey, ref: where, revision: 'HEAD' });
				assert.deepEqual(follow(head), repository);
				const subject = { kind: 'commit', ref: where, id: commit } as const;
				const link = webLink(connections, { connectionKey, ...subject });
				assert.deepEqual(follow(link), subject);
				assert.deepEqual(follow(`${link}.patch`), subject);
			}),
			runs,
		);
	});

	test('trackers, tickets, lists, patchsets, messages and people', () => {
		const messageId = fc
			.tuple(hostile, hostile)
			.map(([left, right]) => `<${left}@${right}>`)
			.filter((text) => !/[<>\s]/.test(text.slice(1, -1)));
		fc.assert(
			fc.property(ref, fc.integer({ min: 1 }), messageId, (where, number, mail) => {
				const tracker = { kind: 'tracker', ref: where } as const;
				assert.deepEqual(follow(ticketLink(connections, { connectionKey, ...tracker })), tracker);
				const ticket = { kind: 'ticket', ref: { tracker: where, id: number } } as const;
				assert.deepEqual(follow(ticketLink(connections, { connectionKey, ...ticket })), ticket);
				const list = { kind: 'list', ref: where } as const;
				assert.deepEqual(follow(listLink(connections, { connectionKey, ...list })), list);
				const patchset = { kind: 'patchset', ref: { list: where, id: number } } as const;
				assert.deepEqual(follow(listLink(connections, { connectionKey, ...patchset })), patchset);
				const subject = { kind: 'mail', connectionKey, list: where, id: 1, messageId: mail };
				assert.deepEqual(follow(listLink(connections, subject)), { kind: 'mail', messageId: mail, list: where });
				const person = { kind: 'person', name: where.owner } as const;
				if (isOwnerName(where.owner)) {
					assert.deepEqual(follow(personLink(connections, { connectionKey, ...person })), person);
				}
			}),
			runs,
		);
	});

	test('messages with a bracketed Message-ID without an @', () => {
		assert.deepEqual(follow(`${lists}/~alice/quill-devel/%3Cbare%3E`), {
			kind: 'mail',
			messageId: '<bare>',
			list: { owner: '~alice', name: 'quill-devel' },
		});
	});
});

suite('hostile URLs', function () {
	this.timeout(600_000);
	for (const path of [
		'~alice/..%2F..%2F~bob%2Fsecret',
		'~alice/quill%2Ftree',
		'~alice%2F..%2F~bob/quill',
		'~alice%2f/quill/tree/main',
		'alice/quill',
	]) {
		test(`name no repository by ${path}`, () => {
			for (const area of [git, lists, sampleInstance.areas.todo]) {
				assert.equal(follow(`${area}/${path}`)?.kind, 'web');
			}
		});
	}

	test('take as many parsing steps as a name has, however long the path', () => {
		class Counted extends Set<string> {
			asked = 0;
			override has(value: string): boolean {
				this.asked += 1;
				return super.has(value);
			}
		}
		const names = new Counted(['refs/heads/a/a/a/b', 'refs/tags/1']);
		const to = webDestination(new URL(`${git}/~alice/quill/tree${'/a'.repeat(100_000)}`), sampleInstance);
		assert.ok(to?.kind === 'inRepository');
		assert.equal(readingAmong(to.way, names), undefined);
		assert.ok(names.asked < 100, String(names.asked));
	});
});

suite('URLs that only the references explain', function () {
	this.timeout(600_000);
	const quill = { owner: '~alice', name: 'quill' };
	const named = (...names: readonly string[]): readonly Reference[] =>
		names.map((each) => ({ name: each, target: '0'.repeat(40) }));
	const file = (revision: string, below: string): Destination => ({
		kind: 'file',
		ref: quill,
		at: { ref: revision, path: below },
		lines: undefined,
	});
	for (const [way, names, expected] of [
		['tree/a/item/b/item/c', ['refs/heads/a'], file('a', 'b/item/c')],
		['tree/a/item/b/item/c', ['refs/heads/a/item/b'], file('a/item/b', 'c')],
		[
			'tree/a/item/b/item/c',
			['refs/tags/a/item/b/item/c'],
			{ kind: 'reference', ref: quill, revision: 'a/item/b/item/c' },
		],
		['tree/item/item/item', ['refs/heads/item'], file('item', 'item')],
		['tree/item/item/item', ['refs/heads/item/item'], { kind: 'reference', ref: quill, revision: 'item/item' }],
		['tree/feature/x/src/a.c', ['refs/heads/feature/x'], file('feature/x', 'src/a.c')],
		['log/feature/x', ['refs/heads/feature/x'], { kind: 'log', ref: quill, revision: 'feature/x', path: undefined }],
		[
			'log/feature/x/item/a.c',
			['refs/heads/feature/x'],
			{ kind: 'log', ref: quill, revision: 'feature/x', path: 'a.c' },
		],
		['blob/feature/x/item/a.c', ['refs/heads/feature/x'], file('feature/x', 'item/a.c')],
		['tree/refs/heads/feature/x/item/a.c', ['refs/heads/feature/x'], file('refs/heads/feature/x', 'a.c')],
		['tree/heads/x/item/a.c', ['refs/heads/x'], file('heads/x', 'a.c')],
		['tree/4f2a91c/src/a.c', ['refs/heads/main'], file('4f2a91c', 'src/a.c')],
		['tree/4f2a91c/item/item/a.c', ['refs/heads/main'], file('4f2a91c', 'item/a.c')],
		['tree/master~2/item/a.c', ['refs/heads/master'], file('master~2', 'a.c')],
		['refs/releases/1.0', ['refs/tags/releases/1.0'], { kind: 'reference', ref: quill, revision: 'releases/1.0' }],
	] as const) {
		test(`${way} among ${names.join(' ')}`, () => {
			assert.deepEqual(follow(`${git}/~alice/quill/${way}`, named(...names)), expected);
		});
	}

	test('a full id and HEAD need no references', () => {
		for (const first of ['0123456789'.repeat(4), 'HEAD']) {
			const to = webDestination(new URL(`${git}/~alice/quill/tree/${first}/item/item/a.c`), sampleInstance);
			assert.deepEqual(to, file(first, 'item/a.c'));
		}
	});
});
