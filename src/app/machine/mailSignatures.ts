import { isAbort, unlessAborted } from '@forge-desk/base/abort.ts';
import { developerKey } from 'hardened-git/developerKeys.ts';
import type { GitOnMachine } from 'hardened-git/hardenedGit.ts';
import { openSignature, verifyText, type SignatureFinding } from 'hardened-git/verifySignature.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import { attestations, type OpenedSignature } from 'patchmail/attest/attestation.ts';
import { keyPlaces } from 'patchmail/attest/developerSignature.ts';
import { dkimKeyName } from 'patchmail/attest/dkim.ts';

/** DNS answers so for a name without a record. */
const missing = new Set(['ENOTFOUND', 'ENODATA']);
const mostRecords = 500;

/**
 * Verifies signatures of mails with the keys of this machine. Keys of domains are in DNS, and no request leaves before
 * the user allowed it. `ask`: asks for that. `clones`: top folders of open clones.
 */
export function mailSignatures(
	git: GitOnMachine,
	{
		ask,
		resolve,
		clones,
	}: {
		readonly ask: () => Promise<boolean>;
		readonly resolve: (name: string) => Promise<readonly (readonly string[])[]>;
		readonly clones: (signal: AbortSignal) => Promise<readonly string[]>;
	},
) {
	/** Until the window closes. */
	let mayAskDns = false;
	const allowed = new Emitter<void>();
	const records = new Map<string, string>();

	async function keyRecord(name: string, signal: AbortSignal): Promise<string | undefined> {
		const known = records.get(name);
		if (known !== undefined || !mayAskDns) {
			return known;
		}
		try {
			const [first] = await unlessAborted(resolve(name), signal);
			// A long record comes in pieces.
			const record = first?.join('') ?? '';
			if (records.size < mostRecords) {
				records.set(name, record);
			}
			return record;
		} catch (error) {
			if (isAbort(error)) {
				throw error;
			}
			const code = error instanceof Error && 'code' in error ? String(error.code) : '';
			return missing.has(code) ? '' : undefined;
		}
	}

	return {
		/** Signatures of an envelope. `authors`: addresses that are shown as its author. */
		check: (envelope: string, authors: readonly string[], signal: AbortSignal) =>
			attestations(envelope, authors, {
				async developerKey(signature) {
					if (!git.machine.isTrusted()) {
						return undefined;
					}
					const found = await developerKey(git, keyPlaces(signature), await clones(signal), signal);
					return found ?? { key: '', folder: '' };
				},
				async opened(signature) {
					const { finding, text } = await openSignature(git, signature, signal);
					return openedBy(finding, text);
				},
				verified: async (data, signature) => openedBy(await verifyText(git, data, signature, signal), data),
				mayAskDns: () => mayAskDns,
				keyRecord: (signature) => keyRecord(dkimKeyName(signature), signal),
			}),
		/** Asks whether DNS may be asked, unless it may. */
		async allowDns(): Promise<void> {
			if (!mayAskDns && (await ask()) && !mayAskDns) {
				mayAskDns = true;
				allowed.fire();
			}
		},
		/** The user allowed questions to DNS. */
		onDidAllow: allowed.event,
	};
}

function openedBy(finding: SignatureFinding, text: Uint8Array): OpenedSignature | undefined {
	switch (finding.kind) {
		case 'notVerified':
			return undefined;
		case 'bad':
			return { state: 'changed', signer: '', text };
		case 'unknownKey':
			return { state: 'unknownKey', signer: '', text };
		case 'good':
			return { state: 'valid', signer: finding.signer, text };
	}
}
