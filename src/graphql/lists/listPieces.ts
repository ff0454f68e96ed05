/* What documents of the list service ask for again and again (see the ticket service's, `todoPieces.ts`). */

const ownerFields = '{ # Entity\ncanonicalName }';

const entityFields = `{ # Entity
	canonicalName
	... on User { username email }
	... on Mailbox { name address }
}`;

export const shortListFields = `{ # MailingList
	name
	owner ${ownerFields}
}`;

export const subscribedFields = `
	name
	owner ${ownerFields}
	subscription { # MailingListSubscription
		id created
	}`;

/** What a list says that asks for more than the list does. */
export const droppableOfList = [{ type: 'MailingList', field: 'access', grant: 'ACLS:RO' }] as const;

export const listFields = `
	id
	rid
	name
	owner ${ownerFields}
	created
	updated
	lastActivity
	description
	access { # ACL
		browse reply post moderate
	}
	defaultACL { # GeneralACL
		browse reply post moderate
	}`;

/** What a mail says that asks for more than the mail does. */
export const droppableOfMail = [{ type: 'Email', field: 'patchset', grant: 'PATCHES:RO' }] as const;

export const mailFields = `
	id
	received
	subject
	messageID
	sender ${entityFields}
	parent { # Email
		id
	}
	patchset { # Patchset
		id version status
	}
	patch { # Patch
		index version
	}
	list ${shortListFields}`;

export const threadHeadFields = 'replies participants';

export const mailWithThreadFields = `
	${mailFields}
	thread { # Thread
		${threadHeadFields}
		root { # Email
			id
		}
	}`;

export const patchsetFields = `
	id
	created
	updated
	subject
	prefix
	version
	status
	submitter ${entityFields}
	list ${shortListFields}
	coverLetter { # Email
		${mailFields}
	}
	supersededBy { # Patchset
		id
	}
	supersedes { # Patchset
		id
	}
	tools { # PatchsetTool
		id updated icon details
	}`;
