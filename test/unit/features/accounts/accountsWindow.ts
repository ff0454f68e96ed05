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

/** The configured forge `Example`, on any free port. */
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

/** Placeholder in the settings for any free port, since they reject 0. */
const anyPort = 1;

/** State that several windows share. */
export interface Machine {
	readonly secrets: FakeSecrets;
	/** The user's own value of the setting `forge.forges`. */
	readonly setting: { value: unknown; readonly changed: Emitter<void>; isReadOnly?: true };
	readonly identity: FakeIdentity;
	/** Tokens with a shown expiry notice. */
	readonly endings: KeptText;
}

/** A machine without accounts. */
export function machine(...entries: readonly unknown[]): Machine {
	return {
		secrets: fakeSecrets(),
		setting: { value: entries.length === 0 ? undefined : entries, changed: new Emitter() },
		identity: fakeIdentity(),
		endings: textInMemory(),
	};
}

export interface AccountsWindow extends Machine {
	readonly feature: AccountsFeature;
	readonly sessions: SessionStore;
	readonly clock: FakeClock;
	readonly sample: FakeSample;
	/** Accounts passed to `forget`, each with its sign-in state at that time. */
	readonly forgotten: string[];
	/** Calls of `beforeTokenGoes`: account and its token at that time. */
	readonly beforeGone: string[];
	/** Accounts passed to `tokenStays`. */
	readonly stayed: string[];
	/** Error that `beforeTokenGoes` throws. */
	keepsToken: Error | undefined;
	/** Items of the outbox of any account. */
	queued: number;
	readonly logged: string[];
	instance(): ForgeInstance;
	/** Runs a command as from the palette. Sign In chooses the only configured forge unless the answers begin with another one. */
	run(command: CommandId, signal?: AbortSignal): Promise<void>;
	/** Signs in through the editor's Accounts menu. */
	signInThroughMenu(wanted: readonly string[]): ReturnType<AccountsFeature['provider']['createSession']>;
	/** Signs in with a token, also when the forge offers another method. */
	signInWithToken(signal?: AbortSignal): Promise<void>;
	/** The only signed-in account; fails when there are none or several. */
	account(): Promise<Session>;
	/** Answers the consent page after the browser opened for the `nth` time, and calls back. */
	consent(wish?: Consent, nth?: number): Promise<CameBack>;
	/** Lets the sign-in time limit pass. */
	waitTooLong(): void;
	dispose(): void;
}

/** The browser's response after the callback. */
export interface CameBack {
	readonly status: number;
	readonly page: string;
}

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
	const before: { keepsToken: Error | undefined; queued: number } = { keepsToken: undefined, queued: 0 };
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
		queued: () => before.queued,
		lease: { isOwner: () => true, onDidChange: () => ({ dispose: () => undefined }) },
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
	} satisfies Omit<AccountsWindow, 'keepsToken' | 'queued'>);
}

/** Calls the last opened callback server with these parameters. */
export async function cameBack(query: URLSearchParams): Promise<CameBack> {
	const response = await fetch(`${stubbed.reached.at(-1)}?${query.toString()}`);
	return { status: response.status, page: await response.text() };
}

/** True when the last callback server is closed. */
export async function isDoorShut(): Promise<boolean> {
	try {
		await fetch(stubbed.reached.at(-1) ?? '');
		return false;
	} catch {
		return true;
	}
}

/** Waits for the `nth` input box. */
export async function boxShown(nth = 1): Promise<StubbedBox> {
	await eventually(async () => stubbed.lines.length >= nth && stubbed.lines[nth - 1]?.isShown, true);
	const box = stubbed.lines[nth - 1];
	assert.ok(box);
	return box;
}

/** Types into the box and presses Enter; resolves after the check. */
export async function enter(box: StubbedBox, text: string): Promise<void> {
	box.type(text);
	box.accept();
	await eventually(async () => box.enabled, true);
}

/** All output to the user, the log and the settings, without the text of masked boxes. */
export function everythingShown({ logged, setting }: AccountsWindow): string {
	const boxes = stubbed.lines.map(({ value, password, ...box }) => ({ ...box, value: password ? '' : value }));
	return JSON.stringify([{ ...stubbed, lines: boxes, contexts: [...stubbed.contexts] }, logged, setting.value]);
}

/** A sample forge whose start and end the test controls. */
export interface FakeSample {
	readonly source: SampleSource;
	starts: number;
	/** The user that the next window signs in. */
	user: string | undefined;
	isDeleted: boolean;
	/** Folder with the unreadable files that the next start reports. */
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
