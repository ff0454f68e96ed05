import '../../../support/vscodeStub.ts';
import { quietProblems } from '../../../support/fakeTicketsParts.ts';
import assert from 'node:assert/strict';
import { fake } from '../../../support/fake.ts';
import * as fc from 'fast-check';
import type { ForgeInstance } from 'sourcehut/port/instance.ts';
import type { Connection } from '../../../../src/store/connection.ts';
import { counts, seed } from '../../../support/counts.ts';
import { fakeConnections, sampleInstance } from '../../../support/fakeConnection.ts';
import { standFor } from '../../../support/standFor.ts';
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';

const { addressOfLink, editorLink } = await import('../../../../src/editor/links/editorLink.ts');
const { editorLinks } = await import('../../../../src/editor/links/editorLinks.ts');

const { todo, git, meta } = sampleInstance.areas;
const ticket = `${todo}/~alice/alpha/7`;
const subject = { kind: 'ticket', ref: { tracker: { owner: '~alice', name: 'alpha' }, id: 7 } };
const editor = { scheme: 'vscode', extensionId: 'forge-desk.forge-desk' };

type Link = Parameters<typeof addressOfLink>[0];

/** A link in its parts, each decoded once, as the editor passes it. */
function parsed(link: string): Link {
	const [, path = '', query = '', fragment = ''] = /^[^:]+:\/\/[^/]+([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/.exec(link) ?? [];
	return fake({ path, query: decodeURIComponent(query), fragment: decodeURIComponent(fragment) });
}

function linkTo(address: string, path = '/open'): Link {
	return fake({ path, query: `url=${address}`, fragment: '' });
}

function account(me: string, instance: ForgeInstance = sampleInstance): Connection {
	return standFor<Connection>({ key: me, me, instance });
}

interface Opening {
	readonly open: (link: Link) => Promise<void>;
	readonly failures: readonly unknown[];
}

function outside(accounts: readonly Connection[] = [account('~bob'), account('~alice')]): Opening {
	const failures: unknown[] = [];
	const links = editorLinks(
		fakeConnections(...accounts),
		() => [sampleInstance],
		() => Promise.resolve(),
		{ ...quietProblems, show: async (error) => void failures.push(error) },
	);
	return { open: (link) => links.open(link), failures };
}

setup(resetStub);

suite('links into the editor', () => {
	test('cannot contain a URL with an unpaired surrogate', () => {
		assert.equal(editorLink(editor, `${ticket}?\ud800`), undefined);
	});

	test('hold any address that an extension link can hold', () => {
		const step = fc.oneof(
			fc.constantFrom('a&b', '100%', '#', '?', 'a b', '%2F', '\u202E'),
			fc.string({ unit: 'grapheme' }),
		);
		fc.assert(
			fc.property(fc.array(step, { maxLength: 5 }), fc.boolean(), (steps, hasLines) => {
				const path = steps.map((each) => encodeURIComponent(each.toWellFormed())).join('/');
				const address = `${git}/~alice/quill/tree/main/item/x/${path}${hasLines ? '#L3-9' : ''}`;
				assert.equal(addressOfLink(parsed(editorLink(editor, address) ?? ''))?.href, new URL(address).href);
			}),
			{ numRuns: counts({ small: 1000, full: 50_000 }), seed: seed() },
		);
	});

	test('may contain an address with its line numbers after the link', () => {
		const link = parsed(`vscode://forge-desk.forge-desk/open?url=${git}/~alice/quill/tree/main/item/a.c#L3-9`);
		assert.equal(addressOfLink(link)?.href, `${git}/~alice/quill/tree/main/item/a.c#L3-9`);
	});

	for (const [why, link] of Object.entries({
		'another path': linkTo(ticket, '/run'),
		'no path': linkTo(ticket, ''),
		'another parameter': fake<Link>({ path: '/open', query: `address=${ticket}`, fragment: '' }),
		'a second parameter': linkTo(`${ticket}&command=forge.accounts.signOut`),
		'a parameter before': fake<Link>({ path: '/open', query: `x=1&url=${ticket}`, fragment: '' }),
		'an address alone': fake<Link>({ path: '/open', query: ticket, fragment: '' }),
		'nothing at all': fake<Link>({ path: '/open', query: '', fragment: '' }),
		'an address with a name and a password before the host': linkTo(
			ticket.replace('https://', 'https://alice:secret@'),
		),
		'an address with a name before the host': linkTo(ticket.replace('https://', 'https://todo.forge.test@')),
		'an address with a password before the host': linkTo(ticket.replace('https://', 'https://:secret@')),
		'a command': linkTo('command:forge.accounts.signOut'),
		'a file': linkTo('file:///etc/passwd'),
		'a script': linkTo('javascript:alert(1)'),
		'a line break': linkTo(`${ticket}\n/more`),
		'an overlong address': linkTo(`${git}/~alice/${'x'.repeat(3000)}`),
	})) {
		test(`with ${why} show one sentence and open nothing`, async () => {
			const { open, failures } = outside();
			await open(link);
			assert.deepEqual([stubbed.shown.length, stubbed.executed, failures], [1, [], []]);
			assert.match(stubbed.shown[0] ?? '', /was rejected: it does not contain exactly one URL of a forge/);
		});
	}

	for (const [address, why] of [
		['https://evil.example/~alice/alpha/7', /no forge that is configured here/],
		[`${todo}.evil.example/~alice/alpha/7`, /no forge that is configured here/],
		[ticket.replace('https:', 'http:'), /no forge that is configured here/],
		[`${meta}/oauth2/authorize?client_id=evil`, /only be shown on the web/],
		[`${git}/~alice/quill/archive/1.0.tar.gz`, /only be shown on the web/],
	] as const) {
		test(`to ${address} fail without a question`, async () => {
			const { open } = outside();
			await open(linkTo(address));
			assert.match(stubbed.shown.join('\n'), why);
			assert.deepEqual([stubbed.shown.length, stubbed.executed, stubbed.opened], [1, [], []]);
		});
	}

	test('open nothing before the user agrees, and then use the owner’s account', async () => {
		const { open } = outside();
		stubbed.answers.push(undefined, 'Open');
		await open(linkTo(ticket));
		assert.deepEqual(stubbed.shown, ['A link from outside the editor points to: Ticket ~alice/alpha#7']);
		assert.deepEqual(stubbed.executed, []);
		await open(linkTo(ticket));
		assert.deepEqual(
			[stubbed.executed, stubbed.passed],
			[['forge.tickets.open'], [{ connectionKey: '~alice', ...subject }]],
		);
	});

	test('to a forge without an account show a message with a sign-in button', async () => {
		const { open } = outside([account('~alice', { ...sampleInstance, id: 'other' })]);
		stubbed.answers.push('Sign In…');
		await open(linkTo(ticket));
		await new Promise(setImmediate);
		assert.deepEqual(stubbed.shown, ['You are not signed in to Sample. Sign in, and open the link again.']);
		assert.deepEqual(stubbed.executed, ['forge.accounts.signIn']);
	});

	test('that arrive during a question are dropped', async () => {
		const { open } = outside();
		const answer = Promise.withResolvers<string>();
		stubbed.laterAnswers.push(answer.promise);
		const first = open(linkTo(ticket));
		await Promise.all(Array.from({ length: 100 }, (_, at) => open(linkTo(`${todo}/~alice/alpha/${at + 100}`))));
		answer.resolve('Open');
		await first;
		assert.deepEqual([stubbed.shown.length, stubbed.passed], [1, [{ connectionKey: '~alice', ...subject }]]);
		stubbed.answers.push('Open');
		await open(linkTo(`${todo}/~alice/alpha/8`));
		assert.equal(stubbed.shown.length, 2);
	});
});
