import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { SignUpRules } from './admission.ts';
import { Session } from './auth.ts';

const text = Type.String();
const optional = Type.Optional;

/** An item of the side menu: an address, a route of the app, a parent of further items, or an action. */
export const MenuItem = Type.Object({
  id: text,
  title: text,
  url: optional(text),
  newTab: optional(Type.Boolean()),
  route: optional(text),
  query: optional(Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } })),
  menuParent: optional(
    Type.Object({ childMenu: Type.Array(Type.Object({ id: text, title: text, url: text, newTab: optional(Type.Boolean()) })) }),
  ),
  action: optional(Type.Literal('DOWNLOAD_DESKTOP')),
  newSection: optional(Type.Boolean()),
});
export type MenuItem = Static<typeof MenuItem>;
export const MenuModel = Type.Object({ items: Type.Array(MenuItem), footerItems: Type.Array(MenuItem), hasFooter: Type.Boolean() });
export type MenuModel = Static<typeof MenuModel>;

/** Contact addresses configured by the operator. Without them no contact is offered. */
export const Contact = Type.Object({ forum: optional(text), support: optional(text) });
export type Contact = Static<typeof Contact>;

/** The operator's branding of this installation; for absent fields Sheaf's own is used, or nothing. */
export const Brand = Type.Object({
  name: optional(text),
  /** The logo at {@link brandLogoPath} takes the place of Sheaf's. */
  hasLogo: optional(Type.Boolean()),
  /** Addresses of pages that some countries require by law. */
  imprint: optional(text),
  privacy: optional(text),
});
export type Brand = Static<typeof Brand>;
export const brandLogoPath = '/brand/logo';
/** Maximum length of an installation's name, in characters. */
export const brandNameLength = 40;

export const sessionInfo = call({
  method: 'GET',
  path: '/rest/session/info',
  session: 'optional',
  input: Type.Object({}),
  reply: Type.Object({
    session: optional(Session),
    menu: MenuModel,
    /** Configured ways to sign in besides email. */
    signIn: Type.Object({ google: Type.Boolean(), microsoft: Type.Boolean(), passkey: Type.Boolean() }),
    /** All configured sign-in providers, in the order of their buttons. `isDirect`: sign-in goes straight to the provider. */
    signInProviders: Type.Array(Type.Object({ provider: Type.String(), title: Type.String(), isDirect: optional(Type.Boolean()) })),
    /** Whether users may sign in with passwords; operators always may. */
    hasPasswords: Type.Boolean(),
    signUp: SignUpRules,
    /** Whether the user operates this installation and may open the providers' page. */
    isOperator: Type.Boolean(),
    contact: Contact,
    brand: Brand,
    /** The billing mode; `off`: everything is included and there is nothing to buy. */
    billing: Type.Unsafe<'sandbox' | 'recurly' | 'off'>({ type: 'string', enum: ['sandbox', 'recurly', 'off'] }),
  }),
  summary: 'Session and menu of whoever asks, signed in or not.',
});
