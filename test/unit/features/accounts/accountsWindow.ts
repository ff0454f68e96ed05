import { everywhere } from 'sourcehut/port/instance.ts';
import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { Emitter } from '@forge-desk/base/event.ts';
import { clientSecrets } from '../../../../src/editor/accounts/clientSecrets.ts';
import type { CommandId } from '../../../../src/commands/table.ts';
import { forgeDirectory, forgeSettings, type ForgeSettings } from '../../../../src/editor/accounts/forgeDirectory.ts';
import type { RunningSample, SampleSource } from '../../../../src/editor/accounts/sampleSource.ts';
import { SessionStore } from '../../../../src/editor/accounts/sessionStore.ts';
import type { AccountsFeature } from '../../../../src/features/accounts/accountsFeature.ts';
import type { ForgeInstance } from 'sourcehut/port/instance.ts';
import { signInLimitMs } from 'sourcehut/identity/browserSignIn.ts';
import type { Session } from '../../../../src/editor/accounts/session.ts';
import { textInMemory, type KeptText } from '../../../../src/store/shared/keptText.ts';
import { Token } from 'sourcehut/identity/token.ts';
import { eventually } from '../../../support/eventually.ts';
import { fakeClock, type FakeClock } from '../../../support/fakeClock.ts';
import { knownProtocols } from '../../../support/knownProtocols.ts';
import { fakeSecrets, type FakeSecrets } from '../../../support/fakeSecrets.ts';
import { quietLog } from '../../../support/quietLog.ts';
import { stubbed, type StubbedBox } from '../../../support/vscodeValues.ts';
import { fakeIdentity, type Consent, type FakeIdentity, type Flow } from './fakeIdentity.ts';

const { withoutPictures } = await import('../../../../src/editor/ask/notify.ts');
const { accountsFeature } = await import('../../../../src/features/accounts/accountsFeature.ts');
const { problems } = await import('../../../../src/editor/ask/problems.ts');

/** The forge `Example` of the settings; its port stands for any that is free. */
export function entryFor(flow: Flow | 'tokenOnly', host = 'forge.example', name = 'Example'): unknown {
	const clientId = 'bbbb000000000001';
	switch (flow) {
		case 'exchange':
			return { name, host, signIn: { kind: 'exchange', clientId, redirectPort: anyPort } };
		case 'pkce':
			return { name, host, signIn: { kind: 'pkce', clientId }, scopeNames: { 'patches:write': 'patches:read' } };
		case 'tokenOnly':
			return { name, host };
	}
}

/** The port of the settings that stands for any that is free: the settings do not take 0. */
const anyPort = 1;

/** What outlives a window: what several of them share. */
export interface Machine {
	readonly secrets: FakeSecrets;
	/** The user's own value of the setting `forge.forges`. */
	readonly setting: { value: unknown; readonly changed: Emitter<void>; isReadOnly?: true };
	readonly identity: FakeIdentity;
	/** Which tokens were told of before they end. */
	readonly endings: KeptText;
}

/** A machine on which nobody is signed in. */
export function machine(...entries: readonly unknown[]): Machine {
	return {
		secrets: fakeSecrets(),
		setting: { value: entries.length === 0 ? undefined : entries, changed: new Emitter() },
		identity: fakeIdentity(),
		endings: textInMemory(),
	};
}

/** One window with its accounts. */
export interface AccountsWindow extends Machine {
	readonly feature: AccountsFeature;
	readonly sessions: SessionStore;
	readonly clock: FakeClock;
	readonly sample: FakeSample;
	/** Accounts that were to be forgotten, each with whether its session was there still. */
	readonly forgotten: string[];
	/** The tokens before which something was to be done, by accounts; each with whether it was theirs still. */
	readonly beforeGone: string[];
	/** The accounts whose token stayed after that. */
	readonly stayed: string[];
	/** Rejects in place of that, once it is set. */
	keepsToken: Error | undefined;
	/** What was logged. */
	readonly logged: string[];
	instance(): ForgeInstance;
	/** Runs a command as from the palette. Sign In chooses the only forge of the settings unless the answers begin with another. */
	run(command: CommandId, signal?: AbortSignal): Promise<void>;
	/** Signs in through the editor's Accounts menu. */
	signInThroughMenu(wanted: readonly string[]): ReturnType<AccountsFeature['provider']['createSession']>;
	/** Signs in by hand, with a token where the forge offers another way, too. */
	signInWithToken(signal?: AbortSignal): Promise<void>;
	/** The account that is signed in; fails when there is another number of them than one. */
	account(): Promise<Session>;
	/** Goes on in the browser, once it was opened for the `nth` time: answers the forge's page, and comes back. */
	consent(wish?: Consent, nth?: number): Promise<CameBack>;
	/** The five minutes that a sign-in waits for the browser go by. */
	waitTooLong(): void;
	dispose(): void;
}

/** What the browser shows after it came back. */
export interface CameBack {
	readonly status: number;
	readonly page: string;
}

/** Opens a window on the machine. */
export function accountsWindow(on: Machine): AccountsWindow {
	const { secrets, setting, identity } = on;
	const logged: string[] = [];
	const hear = (line: string): void => void logged.push(line);
	const log = quietLog({ info: hear, warn: hear, error: hear });
	const clock = fakeClock();
	const sessions = new SessionStore(secrets, log);
	const sample = fakeSample(identity);
	const settings = withAnyPort(
		forgeSettings({
			read: () => setting.value,
			async write(value) {
				await Promise.resolve();
				if (setting.isReadOnly) {
					throw new Error('The settings cannot be written');
				}
				setting.value = value;
				setting.changed.fire();
			},
			onDidChange: (listener) => setting.changed.event(listener),
		}),
	);
	const forges = forgeDirectory(settings, sample.source, knownProtocols);
	const forgotten: string[] = [];
	const beforeGone: string[] = [];
	const stayed: string[] = [];
	const before: { keepsToken: Error | undefined } = { keepsToken: undefined };
	let seed = 0;
	const chooseTheOnlyForge = (): void => {
		const [only, ...others] = settings.instances();
		const rows = ['SourceHut (sr.ht)', 'Another Forge…', 'Try the Sample Forge', 'Sample Forge', only?.name];
		if (only && others.length === 0 && !rows.some((row) => stubbed.answers.includes(row))) {
			stubbed.answers.unshift(withoutPictures(only.name));
		}
	};
	const run: AccountsWindow['run'] = async (command, signal = new AbortController().signal) => {
		if (command === 'forge.accounts.signIn') {
			chooseTheOnlyForge();
		}
		const handler = feature.commands[command];
		assert.ok(handler, command);
		await handler(undefined, signal, []);
	};
	const feature = accountsFeature({
		sessions,
		settings,
		forges,
		sample: sample.source,
		clientSecrets: clientSecrets(secrets, sample.source),
		net: identity.net,
		clock,
		random: (size) => new Uint8Array(size).fill((seed += 1)),
		endings: on.endings,
		noteFailure: () => undefined,
		lease: { isHeld: () => true, onDidChange: () => ({ dispose: () => undefined }) },
		explain: (error) => problems(log, () => undefined, clock).explain(error).message,
		async beforeTokenGoes(key) {
			await Promise.resolve();
			beforeGone.push(`${key} ${sessions.byId(key)?.token.reveal() ?? 'gone'}`);
			if (before.keepsToken) {
				throw before.keepsToken;
			}
		},
		async tokenStays(key) {
			await Promise.resolve();
			stayed.push(key);
		},
		async forget(key) {
			await Promise.resolve();
			forgotten.push(`${key} ${sessions.byId(key) === undefined ? 'signed out' : 'signed in'}`);
		},
	});
	return Object.assign(before, {
		...on,
		feature,
		sessions,
		clock,
		sample,
		forgotten,
		beforeGone,
		stayed,
		logged,
		instance() {
			const [first] = settings.instances();
			assert.ok(first);
			return first;
		},
		run,
		async signInThroughMenu(wanted) {
			chooseTheOnlyForge();
			return feature.provider.createSession(wanted, {});
		},
		async signInWithToken(signal) {
			if (settings.instances().some(({ signIn }) => signIn.kind !== 'tokenOnly')) {
				stubbed.answers.push('With a token');
			}
			await run('forge.accounts.signIn', signal);
		},
		async account() {
			const [session, ...others] = await sessions.all();
			assert.ok(session);
			assert.equal(others.length, 0);
			return session;
		},
		async consent(wish = {}, nth = 1) {
			await eventually(async () => stubbed.opened.length, nth);
			const address = stubbed.opened.at(-1) ?? '';
			return cameBack(identity.consent(address, wish));
		},
		waitTooLong: () => clock.advance(signInLimitMs),
		dispose() {
			feature.dispose();
			forges.dispose();
			settings.dispose();
			sessions.dispose();
		},
	} satisfies Omit<AccountsWindow, 'keepsToken'>);
}

/** The browser comes back with these parameters to the door that was opened last. */
export async function cameBack(query: URLSearchParams): Promise<CameBack> {
	const response = await fetch(`${stubbed.reached.at(-1)}?${query.toString()}`);
	return { status: response.status, page: await response.text() };
}

/** True once nobody waits for the browser any more at the address that it was to come back to. */
export async function isDoorShut(): Promise<boolean> {
	try {
		await fetch(stubbed.reached.at(-1) ?? '');
		return false;
	} catch {
		return true;
	}
}

/** The `nth` line that is asked for in a box of its own, once it is shown. */
export async function boxShown(nth = 1): Promise<StubbedBox> {
	await eventually(async () => stubbed.lines.length >= nth && stubbed.lines[nth - 1]?.isShown, true);
	const box = stubbed.lines[nth - 1];
	assert.ok(box);
	return box;
}

/** A person types into the box and presses Enter; resolves when the answer has been tried. */
export async function enter(box: StubbedBox, text: string): Promise<void> {
	box.type(text);
	box.accept();
	await eventually(async () => box.enabled, true);
}

/** Everything that a person, the log or the settings could show of what happened, except what a masked box holds. */
export function everythingShown({ logged, setting }: AccountsWindow): string {
	const boxes = stubbed.lines.map(({ value, password, ...box }) => ({ ...box, value: password ? '' : value }));
	return JSON.stringify([{ ...stubbed, lines: boxes, contexts: [...stubbed.contexts] }, logged, setting.value]);
}

/** A sample forge that starts when it is asked to, and ends when the test says so. */
export interface FakeSample {
	readonly source: SampleSource;
	starts: number;
	/** Whom the next window signs in. */
	user: string | undefined;
	isDeleted: boolean;
	/** Where the next start finds unreadable files. */
	setAside: string | undefined;
	end(): void;
}

function fakeSample({ tokens }: FakeIdentity): FakeSample {
	const changed = new Emitter<void>();
	let running: RunningSample | undefined;
	const fake: FakeSample = {
		starts: 0,
		user: undefined,
		isDeleted: false,
		setAside: undefined,
		source: {
			running: () => running,
			async start(signal) {
				await Promise.resolve();
				signal.throwIfAborted();
				if (running === undefined) {
					fake.starts += 1;
					running = { ...sampleAt(tokens), setAside: fake.setAside };
					changed.fire();
				}
				return running;
			},
			async keepUser(user) {
				await Promise.resolve();
				fake.user = user;
			},
			async end(signal) {
				await Promise.resolve();
				signal.throwIfAborted();
				fake.isDeleted = true;
				fake.end();
			},
			onDidChange: changed.event,
		},
		end() {
			running = undefined;
			changed.fire();
		},
	};
	return fake;
}

function sampleAt(tokens: FakeIdentity['tokens']): RunningSample {
	tokens.set('sample-token-of-alice', { account: '~alice' });
	const at = (port: number): string => `http://127.0.0.1:${port}`;
	return {
		instance: {
			id: 'sample',
			name: 'Sample Forge',
			areas: { meta: at(5000), todo: at(5001), git: at(5002), lists: at(5003) },
			protocols: everywhere('rest'),
			signIn: { kind: 'exchange', clientId: 'sample-client', redirectPort: 0 },
			scopeSpelling: { prefixes: { todo: 'todo/', git: 'git/', lists: 'lists/' }, names: {} },
			webhookKey: undefined,
			isSample: true,
		},
		clientSecret: new Token('client-secret-of-forge-desk'),
		tokens: { alice: new Token('sample-token-of-alice') },
		smtp: undefined,
		setAside: undefined,
	};
}

function withAnyPort(settings: ForgeSettings): ForgeSettings {
	const free = (instance: ForgeInstance): ForgeInstance =>
		instance.signIn.kind === 'exchange' && instance.signIn.redirectPort === anyPort
			? { ...instance, signIn: { ...instance.signIn, redirectPort: 0 } }
			: instance;
	return { ...settings, instances: () => settings.instances().map(free) };
}
