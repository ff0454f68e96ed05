import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { commandTable } from '../../src/commands/table.ts';
import { withKeyTables } from '../../src/manifest/keyTables.ts';
import { withManifestParts } from '../../src/manifest/manifest.ts';
import { menuOf } from '../support/rowMenus.ts';
import { parseTicketFilter } from '../../src/engine/search/ticketFilter.ts';
import { inboxReasons } from '../../src/store/inbox/inboxEntry.ts';
import { mailText } from 'patchmail/mail/outgoingMail.ts';
import { fixUpLines } from 'patchmail/review/fixUp.ts';
import { viewIds, viewProblems } from '../../src/commands/viewIds.ts';

const { mailLanguage } = await import('../../src/editor/documents/mailDrafts.ts');

const named = v.object({ command: v.string(), when: v.optional(v.string(), '') });
const manifest = v.parse(
	v.object({
		contributes: v.object({
			commands: v.array(v.object({ command: v.string(), title: v.string(), category: v.string() })),
			views: v.object({ forge: v.array(v.object({ id: v.string() })) }),
			keybindings: v.array(
				v.object({
					...named.entries,
					key: v.string(),
					args: v.optional(v.union([v.object({ rowsOf: v.string() }), v.string()])),
				}),
			),
			menus: v.record(
				v.string(),
				v.array(
					v.object({
						command: v.optional(v.string(), ''),
						when: v.optional(v.string(), ''),
						group: v.optional(v.string(), ''),
					}),
				),
			),
			viewsWelcome: v.array(v.object({ view: v.string(), contents: v.string(), when: v.string() })),
			walkthroughs: v.array(
				v.object({
					id: v.string(),
					steps: v.array(
						v.object({
							description: v.string(),
							media: v.object({ svg: v.string(), altText: v.string() }),
							completionEvents: v.array(v.string()),
						}),
					),
				}),
			),
			configurationDefaults: v.record(v.string(), v.unknown()),
			languages: v.array(
				v.object({
					id: v.string(),
					configuration: v.optional(v.string()),
					filenamePatterns: v.optional(v.array(v.string())),
				}),
			),
			grammars: v.array(v.object({ language: v.string(), path: v.string() })),
			configuration: v.array(
				v.object({ title: v.string(), properties: v.record(v.string(), v.looseObject({ scope: v.string() })) }),
			),
		}),
		description: v.string(),
		keywords: v.array(v.string()),
		icon: v.string(),
		activationEvents: v.array(v.string()),
		engines: v.object({ vscode: v.string() }),
		devDependencies: v.record(v.string(), v.string()),
		dependencies: v.record(v.string(), v.string()),
	}),
	JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')),
);
interface Pattern {
	readonly match?: string | undefined;
	readonly name?: string | undefined;
	readonly captures?: unknown;
	readonly begin?: string | undefined;
	readonly end?: string | undefined;
	readonly patterns?: readonly Pattern[] | undefined;
}

const text = v.optional(v.string());
const line = { match: text, name: text, captures: v.optional(v.unknown()) };
const pattern: v.GenericSchema<unknown, Pattern> = v.object({
	...line,
	begin: text,
	end: text,
	patterns: v.optional(v.array(v.object(line))),
});

/** The content of a file named by the manifest. */
function readJson<T>(path: string, schema: v.GenericSchema<unknown, T>): T {
	return v.parse(schema, JSON.parse(readFileSync(join(import.meta.dirname, '../..', path), 'utf8')));
}

const { contributes } = manifest;
const german = readJson('media/l10n/bundle.l10n.de.json', v.record(v.string(), v.string()));
const settings = Object.fromEntries(contributes.configuration.flatMap(({ properties }) => Object.entries(properties)));
const contributed = contributes.commands.map(({ command }) => command);

suite('package.json', () => {
	test('matches the command table, as do the key tables of the guides', () => {
		const root = join(import.meta.dirname, '../..');
		const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
		const text = (file: string): string => readFileSync(join(root, file), 'utf8');
		const guides = ['README.md', ...docs.map((name) => `docs/${name}`)];
		const stale = guides.filter((file) => withKeyTables(text(file), commandTable) !== text(file));
		const isStale = withManifestParts(text('package.json')) !== text('package.json');
		assert.deepEqual([...(isStale ? ['package.json'] : []), ...stale], [], 'run "npm run manifest"');
	});

	for (const { language, words, translated } of [
		{
			language: 'English',
			words: 'token,sign in,poll,mailing list,rate limit,proxy,offline,cache,signature,language,keyboard,theme',
			translated: (text: string) => text,
		},
		{
			language: 'German',
			words: 'Token,anmelden,abfrage,mailingliste,ratenlimit,proxy,offline,cache,signatur,sprache,tastenkürzel,design',
			translated: (text: string) => german[text] ?? '',
		},
	]) {
		test(`has a setting for each word that users look for, in ${language}`, () => {
			// The editor's search takes the key, the title of the group, the description and the keywords.
			const texts = contributes.configuration.flatMap(({ title, properties }) =>
				Object.entries(properties).map(([key, { markdownDescription, keywords = [] }]) =>
					[key, title, translated(String(markdownDescription)), String(keywords)].join(' ').toLowerCase(),
				),
			);
			assert.deepEqual(
				words.split(',').filter((word) => !texts.some((text) => text.includes(word.toLowerCase()))),
				[],
			);
		});
	}

	test('has no activation event for a language, because the marketplace makes each a tag', () => {
		assert.deepEqual(
			manifest.activationEvents.filter((event) => event.startsWith('onLanguage:')),
			[],
		);
		assert.ok(manifest.activationEvents.includes('onStartupFinished'));
	});

	test('names the forge in its description, and has an icon of 128 pixels', () => {
		assert.match(manifest.description, /^SourceHut \(sr\.ht\) /);
		assert.ok(['sourcehut', 'sr.ht', 'mailing list', 'patch'].every((word) => manifest.keywords.includes(word)));
		const icon = readFileSync(join(import.meta.dirname, '../..', manifest.icon));
		// Width and height of a PNG file.
		assert.deepEqual([icon.readUInt32BE(16), icon.readUInt32BE(20)], [128, 128]);
	});

	test('has every command that the guides name in the palette, by its title', () => {
		const hidden = (contributes.menus['commandPalette'] ?? []).filter(({ when }) => when === 'false');
		const titles = new Set(
			contributes.commands
				.filter(({ command }) => !hidden.some((entry) => entry.command === command))
				.map(({ title }) => `Forge: ${title}`),
		);
		const root = join(import.meta.dirname, '../..');
		const guides = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
		const named = ['README.md', ...guides.map((name) => `docs/${name}`)].flatMap((guide) => [
			...readFileSync(join(root, guide), 'utf8').matchAll(/\*\*(Forge: [^*]+)\*\*/g),
		]);
		assert.ok(named.length > 50);
		assert.deepEqual(
			// The editor itself has a command for each view.
			named.map(([, title = '']) => title).filter((title) => !titles.has(title) && !/Focus on \w+ View$/.test(title)),
			[],
		);
		const pages = guides.map((name) => readFileSync(join(root, 'docs', name), 'utf8')).join('\n');
		const names = [...titles].map((title) => title.replace(/^Forge: /, '').replace(/…$/, ''));
		assert.deepEqual(
			[...names, ...Object.keys(settings)].filter((name) => !pages.includes(name)),
			[],
			'a guide names each of them and each setting',
		);
	});

	test('keeps the panel of all comments closed until the user opens it', () => {
		assert.equal(contributes.configurationDefaults['comments.openView'], 'never');
	});

	test('gives mails a language with wrapped prose and without brackets', () => {
		const defaults = v.parse(v.record(v.string(), v.unknown()), contributes.configurationDefaults[`[${mailLanguage}]`]);
		assert.deepEqual([defaults['editor.wordWrap'], defaults['editor.bracketPairColorization.enabled']], ['on', false]);
		assert.deepEqual(defaults['editor.quickSuggestions'], { comments: 'off', strings: 'off', other: 'off' });
		const language = contributes.languages.find(({ id }) => id === mailLanguage);
		assert.deepEqual(language?.filenamePatterns, ['/Forge Mail/**', '**/.forge-reply/**'], 'mails that are written');
		const how = readJson(language?.configuration ?? '', v.record(v.string(), v.array(v.unknown())));
		assert.deepEqual(Object.entries(how), [
			['brackets', []],
			['colorizedBracketPairs', []],
			['autoClosingPairs', []],
			['surroundingPairs', []],
		]);
	});

	test('colours a mail’s headers, quotes, and the lines added and removed by a fix-up or patch', () => {
		const grammar = contributes.grammars.find(({ language }) => language === mailLanguage);
		const { patterns } = readJson(grammar?.path ?? '', v.object({ patterns: v.array(pattern) }));
		const blocks = patterns.filter(({ begin }) => begin !== undefined);
		const nameIn = (all: readonly Pattern[], line: string): string | undefined =>
			all.find(({ match }) => match !== undefined && new RegExp(match).test(line))?.name;
		const lines = mailText({
			from: { name: 'Alice', address: 'alice@forge.test' },
			to: [{ name: '', address: 'list@forge.test' }],
			cc: [],
			subject: 'Re: [PATCH] a',
			messageId: '<a@forge.test>',
			inReplyTo: undefined,
			references: [],
			patchsetStatus: 'approved',
			body: '',
		}).split('\n');
		for (const line of [...lines.filter((each) => each !== ''), 'Cc:']) {
			assert.ok(
				patterns.some(({ match, captures }) => captures && new RegExp(match ?? '').test(line)),
				line,
			);
		}
		// The editor's own dark and light themes have no colour for quotes, but one for comments.
		assert.equal(nameIn(patterns, '> -\treturn list[at];'), 'comment.block.quote.mail markup.quote.mail');
		assert.equal(nameIn(patterns, '---------- Mail 1 of 2 ----------'), 'markup.heading.mail');
		const fixUp = fixUpLines('a.c', { firstLine: 4, rows: [' int a;', '-int b;', '+int c;'] });
		const patch = ['diff --git a/a.c b/a.c', '@@ -4,2 +4,2 @@', ' int a;', '-int b;', '+int c;', '-- '];
		for (const [shown, first, end, names] of [
			[fixUp, 0, '', ['heading', 'heading', undefined, 'deleted', 'inserted']],
			[patch, 0, '-- ', ['heading', undefined, 'deleted', 'inserted']],
		] as const) {
			const block = blocks.find(({ begin }) => new RegExp(begin ?? '').test(shown[first] ?? ''));
			assert.ok(block?.patterns && block.end !== undefined);
			const inside = shown.slice(1).filter((line) => line !== end);
			assert.deepEqual(
				inside.map((line) => nameIn(block.patterns ?? [], line)),
				names.map((name) => name && `markup.${name}.mail`),
			);
			const endsAt = new RegExp(block.end);
			assert.deepEqual([endsAt.test(end), inside.some((line) => endsAt.test(line))], [true, false]);
		}
	});

	test('keeps Ctrl+Enter, the first button of a comment box, from losing text', () => {
		const first = (menu: string): string | undefined =>
			contributes.menus[menu]?.toSorted((one, other) => one.group.localeCompare(other.group))[0]?.command;
		assert.deepEqual(['comments/commentThread/context', 'comments/comment/context'].map(first), [
			'forge.review.addComment',
			'forge.review.saveComment',
		]);
	});

	test('gives every entry of an editor menu a unique position, so that titles never decide the order', () => {
		const shared = ['editor/title', 'editor/context', 'editor/title/context'].flatMap((menu) => {
			const places = (contributes.menus[menu] ?? []).map(({ when, group }) => {
				const [, shownIn = 'all'] = /(?:resourceScheme|activeWebviewPanelId) == ([\w.-]+)/.exec(when) ?? [];
				return { place: `${menu} ${group}`, shownIn };
			});
			return places.filter(({ place, shownIn }, at) =>
				places.some(
					(other, otherAt) =>
						otherAt !== at &&
						other.place === place &&
						(other.shownIn === shownIn || [shownIn, other.shownIn].includes('all')),
				),
			);
		});
		assert.deepEqual(shared, []);
	});

	test('shows the steps of a stopped patchset in the palette only while one is stopped', () => {
		const steps = (contributes.menus['commandPalette'] ?? []).filter(({ command }) =>
			command.startsWith('forge.apply.'),
		);
		assert.equal(steps.length, 5);
		assert.ok(steps.every(({ when }) => when.startsWith('forge.applying && ')));
	});

	test('uses only its own commands in menus, welcome texts and the walkthrough', () => {
		const steps = contributes.walkthroughs.flatMap((walkthrough) => walkthrough.steps);
		const texts = [
			...contributes.viewsWelcome.map(({ contents }) => contents),
			...steps.map(({ description }) => description),
		];
		const used = [
			...Object.values(contributes.menus).flatMap((entries) => entries.map(({ command }) => command)),
			...texts.flatMap((each) => [...each.matchAll(/\(command:([\w.]+)[?)]/g)].map(([, command = '']) => command)),
			...steps.flatMap(({ completionEvents }) =>
				completionEvents.map((event) => /^onCommand:(.*)$/.exec(event)?.[1] ?? ''),
			),
		];
		const ofEditor = ['', ...viewIds.map((id) => `${id}.focus`)];
		assert.deepEqual(
			used.filter((command) => !ofEditor.includes(command) && !contributed.includes(command)),
			[],
		);
	});

	test('has a walkthrough of five steps, each with a picture and a completion event', () => {
		const [{ id, steps } = { id: '', steps: [] }, ...others] = contributes.walkthroughs;
		// The editor shows single ones literally.
		assert.doesNotMatch(steps.map(({ description }) => description).join('\n'), /(?<![*`])[*`](?![*`])/);
		assert.deepEqual([id, others, steps.length], ['start', [], 5]);
		assert.ok(steps.every(({ completionEvents }) => completionEvents.length > 0));
		for (const { media } of steps) {
			assert.match(readFileSync(join(import.meta.dirname, '../..', media.svg), 'utf8'), /^<svg /);
		}
	});

	test('has the sign-in buttons in one view only', () => {
		const signedOut = contributes.viewsWelcome.filter(({ when }) => when.endsWith('== signedOut'));
		assert.equal(signedOut.length, 4);
		const buttons = signedOut.flatMap(({ view, contents }) =>
			contents
				.split('\n')
				.filter((each) => /^\[[^\]]*\]\([^)]*\)$/.test(each))
				.map((each) => `${view} ${each}`),
		);
		assert.deepEqual(buttons, ['forge.tickets [Sign In](command:forge.accounts.signIn)']);
	});

	test('has no key that deletes', () => {
		assert.deepEqual(
			contributes.keybindings.filter(({ command }) => /delete|remove/i.test(command)),
			[],
		);
	});

	test('has a menu entry of the inbox for each matching kind of row', () => {
		const offered = (...row: Parameters<typeof menuOf>): readonly string[] =>
			menuOf(...row).map((command) => command.replace(/^forge\.(?:inbox\.)?/, ''));
		assert.deepEqual(offered('inbox.thing.unread'), ['open', 'markRead', 'done', 'snooze', 'mute', 'watch']);
		assert.deepEqual(offered('inbox.thing.read'), ['open', 'markUnread', 'done', 'snooze', 'mute', 'watch']);
		assert.deepEqual(offered('inbox.thing.snoozed'), ['open', 'moveBack', 'done', 'snooze', 'mute', 'watch']);
		assert.deepEqual(offered('inbox.thing.done'), ['open', 'moveBack', 'mute', 'watch']);
		assert.deepEqual(offered('inbox.thing.done', ['muted']), ['open', 'moveBack', 'unmute', 'watch']);
		assert.deepEqual(offered('inbox.entry.unread'), ['open', 'markRead', 'done', 'snooze', 'mute', 'watch']);
		assert.deepEqual(offered('inbox.entry.unread', ['muted']), [
			'open',
			'markRead',
			'done',
			'snooze',
			'unmute',
			'watch',
		]);
	});

	test('has Mark as Read or Mark as Unread on every row that can be read, depending on its state', () => {
		const offered = (...row: Parameters<typeof menuOf>): readonly string[] =>
			menuOf(...row).filter((command) => /\.mark(?:Read|Unread)$/.test(command));
		for (const kind of ['patchset', 'mail.thread'] as const) {
			assert.deepEqual(offered(kind), ['forge.markUnread']);
			assert.deepEqual(offered(kind, ['unread']), ['forge.markRead']);
		}
	});

	test('has version commands for a patchset with versions, and Unlink for a linked one', () => {
		const offered = (...marks: readonly ('versions' | 'linked')[]): readonly string[] =>
			menuOf('patchset', marks).filter((command) => /Version/.test(command));
		assert.deepEqual(offered(), ['forge.patchsets.linkVersion']);
		const compare = ['forge.patchsets.compareVersions', 'forge.patchsets.openVersionChanges'];
		assert.deepEqual(offered('versions'), ['forge.patchsets.linkVersion', ...compare]);
		assert.deepEqual(offered('versions', 'linked'), [
			'forge.patchsets.linkVersion',
			...compare,
			'forge.patchsets.unlinkVersion',
		]);
	});

	test('lists the existing notification reasons, and enables none by default', () => {
		const setting = settings['forge.inbox.notify'];
		const { items } = v.parse(v.object({ items: v.object({ enum: v.array(v.string()) }) }), setting);
		assert.deepEqual([setting?.['default'], items.enum], [[], [...inboxReasons]]);
	});

	test('has link commands on every row with a web address', () => {
		for (const kind of ['change', 'patchFile', 'submodule', 'artifact', 'searchFile', 'searchLine', 'file'] as const) {
			const offered = menuOf(kind);
			for (const command of ['forge.copyLink', 'forge.openOnWeb', 'forge.copyEditorLink']) {
				assert.ok(offered.includes(command), `${kind}: ${command}`);
			}
		}
	});

	test('offers commands that need git only in trusted windows', () => {
		const offered = Object.entries(contributes.menus).flatMap(([menu, entries]) =>
			entries.flatMap(({ command, when }) => {
				const need = Object.entries(commandTable).find(([name]) => name === command)?.[1].git;
				const isNever = when === 'false';
				const isOfFiles = /resourceScheme (?:== file|=~ )/.test(when);
				return !isNever && (need === 'always' || (need === 'onFiles' && isOfFiles)) ? [{ menu, command, when }] : [];
			}),
		);
		assert.ok(offered.length > 20, String(offered.length));
		// A condition that also covers remote files must combine trust with the file scheme.
		assert.deepEqual(
			offered.filter(({ when }) =>
				when.includes('||') && !when.endsWith(' && isWorkspaceTrusted')
					? !when.includes('resourceScheme == file && isWorkspaceTrusted')
					: !when.includes('&& isWorkspaceTrusted'),
			),
			[],
		);
	});

	test('has a welcome text with a next step for every view and every reason for an empty one', () => {
		// The outbox reads only the disk.
		for (const view of viewIds.filter((id) => id !== 'forge.outbox')) {
			const texts = contributes.viewsWelcome.filter((welcome) => welcome.view === view);
			assert.deepEqual(
				viewProblems.filter(
					(problem) =>
						texts.filter(
							({ when, contents }) =>
								when.endsWith(`&& ${view}.problem == ${problem}`) &&
								contents.includes(`(command:forge.view.tryAgain?%22${view}%22)`),
						).length !== 1,
				),
				[],
			);
		}
	});

	test('lets a workspace change only settings without addresses, tokens or programs', () => {
		assert.deepEqual(
			Object.entries(settings)
				.filter(([, { scope }]) => scope !== 'application' && scope !== 'machine')
				.map(([name]) => name),
			['forge.filters', 'forge.folder', 'forge.work.branchName'],
		);
	});

	test('keeps the port and address settings of webhooks on this computer', () => {
		assert.deepEqual(
			Object.entries(settings)
				.filter(([, { scope }]) => scope === 'machine')
				.map(([name]) => name),
			['forge.webhooks.receive', 'forge.webhooks.publicAddress', 'forge.webhooks.port', 'forge.webhooks.listenAddress'],
		);
	});

	test('explains each setting in one sentence, in a group', () => {
		assert.deepEqual(
			contributes.configuration.map(({ title }) => title),
			['Accounts', 'Inbox', 'Tickets', 'Reviews', 'Repositories', 'Webhooks', 'Advanced'],
		);
		const texts = Object.values(settings).map(({ markdownDescription }) => String(markdownDescription));
		assert.deepEqual(
			texts.filter((each) => !/^[A-Z][^\n]{20,220}\.$/.test(each) || /\. [A-Z]/.test(each)),
			[],
		);
	});

	test('opens trackers with their open tickets', () => {
		const setting = settings['forge.tickets.show'];
		assert.deepEqual([setting?.['default'], setting?.['enum']], ['open', ['open', 'all']]);
	});

	test('includes the common queues, each with a valid filter', () => {
		const queues = v.parse(
			v.array(v.object({ name: v.string(), filter: v.string() })),
			settings['forge.filters']?.['default'],
		);
		assert.deepEqual(
			queues.map(({ name, filter }) => [name, filter, parseTicketFilter(filter).kind]),
			[
				['Assigned to me', 'assigned:me', 'filter'],
				['Submitted by me', 'submitter:me', 'filter'],
				['Updated since my last visit', 'status:any is:changed', 'filter'],
				['Unlabeled', 'no:label', 'filter'],
			],
		);
	});

	test('compiles against the oldest supported editor', () => {
		assert.equal(manifest.engines.vscode, `^${manifest.devDependencies['@types/vscode']}`);
	});

	test('pins every package to one version', () => {
		const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies });
		assert.deepEqual(
			versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version)),
			[],
		);
	});
});
