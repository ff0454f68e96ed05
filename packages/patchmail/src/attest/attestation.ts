import { dkimSignatures, verifyDkim, type DkimSignature } from './dkim.ts';
import { developerSignatures, verifiesEd25519, type DeveloperSignature } from './developerSignature.ts';
import { isSameAddress } from '../mail/onlySender.ts';
import { openpgpSignature, type OpenpgpSignature } from './openpgp.ts';
import { largestSigned, signedMail, type SignedMail } from './signedMail.ts';

/** A signature of a mail, compared with its author. A mail without any is not signed. */
export interface MailAttestation {
	readonly kind: 'developer' | 'dkim' | 'openpgp';
	/**
	 * `changed`: the mail differs from the signed one. `byList`: so does one that a list sent on, as after a prefix or
	 * footer of the list. `otherSigner`: someone else signed it.
	 * `notAsked`: only a key in DNS decides, and nobody allowed the question. `notChecked`: a key or a program is missing,
	 * or the signature covers only a part.
	 */
	readonly state: 'valid' | 'changed' | 'byList' | 'unknownKey' | 'otherSigner' | 'notAsked' | 'notChecked';
	/** An address, or the domain of DKIM, as claimed. */
	readonly signer: string;
	/** Folder of a developer's key. */
	readonly keyring?: string | undefined;
}

/** Sources of keys. Each returns `undefined` if it cannot look. */
export interface KeySources {
	/** A developer's key file and its folder; an empty key without any. */
	readonly developerKey: (
		signature: DeveloperSignature,
	) => Promise<{ readonly key: string; readonly folder: string } | undefined>;
	/** The verified text inside a signature, and its signer. */
	readonly opened: (signature: Uint8Array) => Promise<OpenedSignature | undefined>;
	readonly verified: (data: Uint8Array, signature: Uint8Array) => Promise<OpenedSignature | undefined>;
	/** True if the user allowed questions to DNS. */
	readonly mayAskDns: () => boolean;
	/** Key record of a domain, or an empty text without any. */
	readonly keyRecord: (signature: DkimSignature) => Promise<string | undefined>;
}

/** The result of OpenPGP. `text`: the text inside the signature. */
export interface OpenedSignature {
	readonly state: 'valid' | 'changed' | 'unknownKey';
	readonly signer: string;
	readonly text: Uint8Array;
}

/** Signatures of an envelope. `authors`: addresses that are shown as its author. */
export async function attestations(
	envelope: string,
	authors: readonly string[],
	sources: KeySources,
): Promise<readonly MailAttestation[]> {
	if (envelope.length > largestSigned) {
		return /^(?:DKIM-Signature|X-Developer-Signature):/im.test(envelope.slice(0, 20_000))
			? [{ kind: 'dkim', state: 'notChecked', signer: '' }]
			: [];
	}
	const mail = signedMail(envelope);
	if (!mail) {
		return [];
	}
	const found: MailAttestation[] = [];
	const sentOn = isSentOn(mail);
	for (const signature of developerSignatures(mail, sentOn)) {
		found.push(
			signature
				? await developerAttestation(signature, authors, sources)
				: { kind: 'developer', state: 'changed', signer: '' },
		);
	}
	const openpgp = openpgpSignature(mail);
	if (openpgp) {
		found.push(await openpgpAttestation(openpgp, authors, sources));
	}
	for (const signature of dkimSignatures(mail)) {
		const state = signature ? await dkimState(signature, authors, sources) : 'notChecked';
		found.push({
			kind: 'dkim',
			state: state === 'changed' && sentOn ? 'byList' : state,
			signer: signature?.domain ?? '',
		});
	}
	return found;
}

type State = MailAttestation['state'];

/** True if a program of a list sent the mail on, and added prefixes, footers and fields to the signed text. */
function isSentOn({ headers }: SignedMail): boolean {
	return headers.some(({ name }) => /^list-(?:id|post|unsubscribe)$/i.test(name));
}

async function developerAttestation(
	signature: DeveloperSignature,
	authors: readonly string[],
	sources: KeySources,
): Promise<MailAttestation> {
	const { algorithm, isBodySame, identity } = signature;
	const told = (state: State, keyring?: string): MailAttestation => ({
		kind: 'developer',
		state,
		signer: identity,
		keyring,
	});
	if (!isAmong(identity, authors)) {
		return told('otherSigner');
	}
	if (!isBodySame) {
		return told('changed');
	}
	switch (algorithm) {
		case 'openpgp': {
			const opened = await sources.opened(signature.signature);
			if (opened === undefined) {
				return told('notChecked');
			}
			const isSame = opened.state === 'unknownKey' || Buffer.from(opened.text).equals(signature.digest);
			return told(isSame ? ofPerson(opened, authors) : 'changed');
		}
		// The keyring file has no form that programs agree on.
		case 'openssh':
			return told('notChecked');
		case 'ed25519': {
			const found = await sources.developerKey(signature);
			return found === undefined || found.key === ''
				? told(found ? 'unknownKey' : 'notChecked')
				: told(verifiesEd25519(signature, found.key) ? 'valid' : 'changed', found.folder);
		}
	}
}

async function openpgpAttestation(
	{ data, signature, coversAll }: OpenpgpSignature,
	authors: readonly string[],
	sources: KeySources,
): Promise<MailAttestation> {
	const result = coversAll ? await sources.verified(data, signature) : undefined;
	const state = result === undefined ? 'notChecked' : ofPerson(result, authors);
	return { kind: 'openpgp', state, signer: result?.signer ?? '' };
}

/** A valid signature of someone else says nothing about the author. */
function ofPerson({ state, signer }: OpenedSignature, authors: readonly string[]): State {
	const address = /<([^<>]*)>$/.exec(signer.trim())?.[1] ?? signer.trim();
	return state === 'valid' && !isAmong(address, authors) ? 'otherSigner' : state;
}

function isAmong(address: string, authors: readonly string[]): boolean {
	return authors.some((author) => isSameAddress(author, address));
}

async function dkimState(signature: DkimSignature, authors: readonly string[], sources: KeySources): Promise<State> {
	if (!isOfAuthor(signature, authors)) {
		return 'otherSigner';
	}
	if (signature.body !== 'same') {
		return signature.body === 'changed' ? 'changed' : 'notChecked';
	}
	if (!sources.mayAskDns()) {
		return 'notAsked';
	}
	const record = await sources.keyRecord(signature);
	const result = record === undefined ? undefined : record === '' ? 'noKey' : verifyDkim(signature, record);
	return result === undefined ? 'notChecked' : result === 'noKey' ? 'unknownKey' : result;
}

/** True if the domain, or one above it, is that of an author. */
function isOfAuthor({ domain }: DkimSignature, authors: readonly string[]): boolean {
	return (
		domain.includes('.') &&
		authors.some((author) => {
			const own = author.slice(author.lastIndexOf('@') + 1).toLowerCase();
			return own === domain || own.endsWith(`.${domain}`);
		})
	);
}
