import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as contract from '@sheaf/contract';
import { isServed } from '#/platform/http/call-table.ts';
import { testApp } from '#/testing/app.ts';
import { callsOf } from './document.ts';

/** Calls for visitors: sign-in, invitations, shares, the start page, what there is to download, and the key of signed reports. All others need a session. */
const publicCalls = [
  'GET /rest/client/offer',
  'POST /rest/org/invitation',
  'GET /rest/provider/get_link_providers',
  'GET /rest/session/info',
  'GET /rest/transfers/report_key',
  'POST /rest/space/invitation',
  'GET /rest/weblink/archive',
  'GET /rest/weblink/archive_directory',
  'GET /rest/weblink/download',
  'GET /rest/weblink/office_text',
  'GET /rest/weblink/thumbnail',
  'POST /rest/account/reopen',
  'POST /rest/auth/email/confirm_signup',
  'POST /rest/auth/email/forgot',
  'POST /rest/auth/email/login',
  'POST /rest/auth/email/reset',
  'POST /rest/auth/email/signup',
  'POST /rest/auth/email/verify',
  'POST /rest/auth/invitation',
  'POST /rest/auth/passkey/login',
  'POST /rest/auth/passkey/options',
  'POST /rest/auth/second_factor',
  'POST /rest/auth/token',
  'POST /rest/org/decline',
  'POST /rest/space/decline',
  'POST /rest/weblink/list',
  'POST /rest/weblink/open',
];

test('every call of the contract except the few public ones answers 104 to a visitor [SEC-01] [SEC-02]', async (t) => {
  const { app, visitor } = await testApp(t);
  const calls = callsOf({ ...contract });
  const open: string[] = [];
  for (const call of calls) {
    assert.ok(isServed(app, call.method, call.path), `${call.path} is served`);
    const answer = await visitor().send(call, {});
    const refused = answer.statusCode === 401 && answer.json<{ errorCode: number }>().errorCode === 104;
    if (!refused) open.push(`${call.method} ${call.path}`);
  }
  assert.deepEqual([...new Set(open)].toSorted(), publicCalls.toSorted());
});
